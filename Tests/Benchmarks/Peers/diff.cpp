// The diff of nlohmann's JSON library. Reads two documents, each on a line, and prints the nanoseconds
// that the diff took and the bytes of its patch.

#include <chrono>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

int main() {
  std::string before, after;
  while (std::getline(std::cin, before) && std::getline(std::cin, after)) {
    const auto old_document = nlohmann::json::parse(before);
    const auto new_document = nlohmann::json::parse(after);
    const auto start = std::chrono::steady_clock::now();
    const auto patch = nlohmann::json::diff(old_document, new_document);
    const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start;
    std::cout << time.count() << ' ' << patch.dump().size() << std::endl;
  }
}
