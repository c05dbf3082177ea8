import fc from "fast-check";
import { freeze } from "../../../provider/config/frozenMemo";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { hashDocuments } from "../../../provider/config/hash";
import { installerImage } from "../../../provider/config/installer/installerImage";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { renderConfiguration } from "../../../provider/render/renderConfiguration";
import { PatchDocuments } from "../../conformance/arbitraries/patchDocument";
import { sharedSecrets } from "../pki/sharedSecrets";
import { expectNoSecrets, machineConfigurationInputs } from "../resources/samples";

const documents = new PatchDocuments(talosSchema("v1.12"));
const readers = fc.record({
  schema: fc.constantFrom(...["v1.10", "v1.12", "v1.13"].map(talosSchema)),
  longestText: fc.constantFrom(10, 100),
});
const patches = fc.array(documents.any, { minLength: 1, maxLength: 2 });

async function sampleDocuments() {
  const inputs = await machineConfigurationInputs();
  return generateMachineConfig({ ...inputs, installerImage: installerImage(inputs) });
}

describe("renderConfiguration", () => {
  it("renders three forms of the same configuration, with the hash of the text", async () => {
    const documents = await sampleDocuments();
    const result = renderConfiguration(documents, [{ machine: { env: { GREETING: "hello" } } }]);
    if ("failures" in result) {
      throw new Error(JSON.stringify(result.failures));
    }
    const { text, hash, outline } = result.rendered;
    expect(hashDocuments(decodeDocuments(text))).toBe(hash);
    expect(outline).toMatchObject({
      machine: { env: { GREETING: expect.stringMatching(/^«secret hmac:/) as string } },
    });
    expect(text).toContain("GREETING: hello");
    expectNoSecrets(outline, await sharedSecrets());
  });

  it("reports no problems that exist without the patches", async () => {
    const documents = (await sampleDocuments()).map((document) =>
      "machine" in document ? { ...document, clustr: {} } : document,
    );
    const result = renderConfiguration(documents, [{ machine: { network: { hostname: "a" } } }]);
    if (!("failures" in result)) {
      throw new Error("it was rendered");
    }
    expect(result.failures.map(({ property }) => property).sort()).toEqual(["", "patches"]);
    expect(result.failures.find(({ property }) => property === "")?.reason).toContain("clustr");
    expect(renderConfiguration(documents, [], { judgesPatchesOnly: true })).toHaveProperty(
      "rendered",
    );
  });

  it("gives the same result for frozen documents, whose parts are memoised, as for others", async () => {
    const documents = await sampleDocuments();
    const frozen = freeze(structuredClone(documents));
    const outcomes = { rendered: 0, failures: 0 };
    fc.assert(
      fc.property(readers, patches, (options, given) => {
        const expected = renderConfiguration(documents, given, options);
        expect(renderConfiguration(frozen, given, options)).toEqual(expected);
        expect(renderConfiguration(frozen, freeze(structuredClone(given)), options)).toEqual(
          expected,
        );
        outcomes["rendered" in expected ? "rendered" : "failures"]++;
      }),
      { numRuns: 200 },
    );
    expect(outcomes.rendered).toBeGreaterThan(30);
    expect(outcomes.failures).toBeGreaterThan(30);
  });

  it("reports all problems of the patches at once", async () => {
    const documents = await sampleDocuments();
    const result = renderConfiguration(documents, [{ machine: { kubelt: {}, netwrk: {} } }]);
    if (!("failures" in result)) {
      throw new Error("it was rendered");
    }
    expect(result.failures.map(({ property }) => property)).toEqual(["patches", "patches"]);
    expect(result.failures.map(({ reason }) => reason).join("\n")).toMatch(/kubelt[\s\S]*netwrk/);
  });
});
