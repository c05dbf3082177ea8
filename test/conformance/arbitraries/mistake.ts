import fc from "fast-check";
import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../../provider/config/machineConfig";
import { placesOf, withValueAt } from "./places";

const strangers: readonly YamlValue[] = [
  null,
  "",
  "text",
  "5",
  0,
  -1,
  3.5,
  70_000,
  true,
  [],
  ["text"],
  [{}],
  [null],
  {},
  { unknownKey: 1 },
];

/** A document with something in a wrong place, of a wrong type, empty, or unknown. */
export function withMistake(document: ConfigDocument): fc.Arbitrary<ConfigDocument> {
  return fc
    .tuple(fc.nat(), fc.constantFrom(...strangers), fc.boolean())
    .map(([where, stranger, asKey]) => {
      const places = placesOf(document);
      const place = places[where % Math.max(places.length, 1)];
      if (place === undefined) {
        return { ...document, unknownKey: stranger };
      }
      const replacement =
        asKey && isMapping(place.value) ? { ...place.value, unknownKey: stranger } : stranger;
      const wrong = withValueAt(document, place.path, replacement);
      return isMapping(wrong) ? wrong : document;
    });
}
