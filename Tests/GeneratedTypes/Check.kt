// Decodes each line, `KIND JSON`, into the generated class, and prints it encoded again or the
// error.

import app.models.Document
import app.models.Error
import app.models.Frame
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.encoding.Decoder
import kotlinx.serialization.encoding.Encoder
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonDecoder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonEncoder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.contextual

/** A value of any type, such as an event's. */
object AnyValue : KSerializer<Any> {
  override val descriptor = JsonElement.serializer().descriptor

  override fun deserialize(decoder: Decoder): Any = (decoder as JsonDecoder).decodeJsonElement()

  override fun serialize(encoder: Encoder, value: Any) =
    (encoder as JsonEncoder).encodeJsonElement(value as JsonElement)
}

val json = Json { serializersModule = SerializersModule { contextual(AnyValue) } }

inline fun <reified T> again(text: String): JsonElement =
  json.encodeToJsonElement(json.decodeFromString<T>(text))

fun again(kind: String, text: String): JsonElement =
  when (kind) {
    "Frame" -> again<Frame>(text)
    "Document" -> again<Document>(text)
    else -> again<Error>(text)
  }

fun main() {
  for (line in generateSequence(::readLine)) {
    val (kind, text) = line.split(" ", limit = 2)
    val result =
      try {
        again(kind, text)
      } catch (error: SerializationException) {
        JsonPrimitive(error.message)
      }
    println(result)
  }
}
