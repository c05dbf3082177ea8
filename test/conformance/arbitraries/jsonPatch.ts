import fc from "fast-check";
import type { ConfigDocument, YamlValue } from "../../../provider/config/machineConfig";
import { placesOf } from "./places";

const values: readonly YamlValue[] = ["x", 5, true, null, ["a"], { a: "b" }, "10.0.0.1", {}];
const operations = ["add", "replace", "remove", "test", "copy", "move", "add", "replace"] as const;

/** A JSON patch (RFC 6902), as text, of places that a document has or nearly has. */
export function jsonPatchOf(document: ConfigDocument): fc.Arbitrary<string> {
  const places = placesOf(document);
  const pointer = fc
    .tuple(fc.nat(), fc.constantFrom("", "", "", "", "/new", "/-", "/0", "x"))
    .map(([index, end]) => {
      const { path } = places[index % Math.max(places.length, 1)] ?? { path: [] };
      const steps = path.map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
      return `${steps.map((step) => `/${step}`).join("")}${end}`;
    });
  const same = fc.nat().map((index) => places[index % Math.max(places.length, 1)]);
  const operation = fc
    .record({
      op: fc.constantFrom(...operations),
      path: pointer,
      from: pointer,
      value: fc.constantFrom(...values),
      same,
      keep: fc.boolean(),
    })
    .map(({ op, path, from, value, same: place, keep }) => {
      const pair = keep && place !== undefined && op === "test" ? place.value : value;
      return op === "copy" || op === "move"
        ? { op, from, path }
        : op === "remove"
          ? { op, path }
          : { op, path, value: pair };
    });
  return fc
    .array(operation, { minLength: 1, maxLength: 3 })
    .map((list) => JSON.stringify(list, undefined, 1));
}
