import fc from "fast-check";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import { sharedSecrets } from "../../pki/sharedSecrets";
import { arbitraryOptions } from "./arbitraryOptions";
import { contracts, inputWith } from "./expectGenerated";

test.each([...contracts, "v1.14"])(
  "any combination of options gives a configuration that Talos %s accepts",
  async (contract) => {
    const schema = talosSchema(contract);
    // Documents have certificates and keys as texts, which Talos reads.
    const secretsBundle = await sharedSecrets();
    fc.assert(
      fc.property(arbitraryOptions(contract), (options) => {
        const input = inputWith(contract, { secretsBundle, ...options });
        const documents = generateMachineConfig(input);
        expect(validateDocuments(documents, { schema, machineType: input.machineType })).toEqual(
          [],
        );
        expect(encodeDocuments(generateMachineConfig(structuredClone(input)))).toBe(
          encodeDocuments(documents),
        );
      }),
      { numRuns: 30 },
    );
  },
);

test("the order in which options are written makes no difference", () => {
  fc.assert(
    fc.property(arbitraryOptions("v1.13"), (options) => {
      const reversed = reverseKeys(options);
      expect(encodeDocuments(generateMachineConfig(inputWith("v1.13", reversed)))).toBe(
        encodeDocuments(generateMachineConfig(inputWith("v1.13", options))),
      );
    }),
    { numRuns: 30 },
  );
});

/** A copy whose mappings have their keys the other way round. */
function reverseKeys<Value>(value: Value): Value {
  if (Array.isArray(value)) {
    return value.map(reverseKeys) as Value;
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([key, child]) => [key, reverseKeys(child)] as const);
  return Object.fromEntries(entries.reverse()) as Value;
}
