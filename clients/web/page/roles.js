/** Adds roles to a description that has none, from names and types. For cores that do not state them. */
export function addRoles(description) {
  for (const screen of Object.values(description["x-screens"] ?? {})) {
    const ports = Object.values(screen.inputs ?? {});
    if (ports.some((port) => port["x-role"])) continue;
    for (const [name, port] of Object.entries(screen.inputs ?? {})) Object.assign(port, role(name, port, screen.outputs ?? {}));
  }
  return description;
}

function role(name, port, outputs) {
  const kinds = [port.type ?? []].flat();
  if (name === "didAppear") return { "x-role": "lifecycle", "x-when": "appear" };
  if (name === "reachedEnd") return { "x-role": "lifecycle", "x-when": "end" };
  const isEmpty = Object.keys(port).every((key) => /^(title|description|placeholder|x-)/.test(key));
  if (isEmpty) return { "x-role": "trigger", ...(enables(name, outputs)) };
  if (name.endsWith("Text")) return { "x-role": "text" };
  if (name.endsWith("Tapped") && port.properties?.card) {
    return { "x-role": "row", "x-rows": [{ list: "shelves/*/cards", members: { shelf: "shelves/*/id", card: "shelves/*/cards/*/id" } }] };
  }
  if (name.endsWith("Tapped") && (kinds.includes("integer") || kinds.includes("string") || port.enum)) {
    const lists = Object.entries(outputs)
      .filter(([, out]) => out.type === "array" && out.items?.properties?.id && same(out.items.properties.id, port))
      .map(([list]) => ({ list, member: "id" }));
    if (lists.length > 0) return { "x-role": "row", "x-rows": lists };
  }
  if (port.enum || port.anyOf?.some((each) => each.enum)) return { "x-role": "choice", "x-shownBy": shown(name, outputs) };
  if (kinds.includes("boolean")) return { "x-role": "toggle", "x-shownBy": shown(name, outputs) };
  return { "x-role": "value" };
}

const same = (left, right) => Boolean(left.enum) === Boolean(right.enum) && (left.enum ? true : left.type === right.type);
function enables(name, outputs) {
  const output = `is${name.charAt(0).toUpperCase()}${name.slice(1)}Enabled`;
  return output in outputs ? { "x-enabledBy": output } : {};
}
function shown(name, outputs) {
  const stem = name.replace(/(Picked|Changed|Switched)$/, "").replace("sheetDetent", "sheetDetent");
  return stem in outputs ? stem : undefined;
}
