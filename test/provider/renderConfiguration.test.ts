import { decodeDocuments } from "../../provider/config/encode";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { hashDocuments } from "../../provider/config/hash";
import { installerImage } from "../../provider/config/installerImage";
import { renderConfiguration } from "../../provider/renderConfiguration";
import { expectNoSecrets, machineConfigurationInputs, sampleSecrets } from "./resources/samples";

jest.setTimeout(30_000);

async function sampleDocuments() {
  const inputs = await machineConfigurationInputs();
  return generateMachineConfig({ ...inputs, installerImage: installerImage(inputs) });
}

describe("renderConfiguration", () => {
  it("renders three forms of the same, the hash that of the text", async () => {
    const documents = await sampleDocuments();
    const result = renderConfiguration(documents, [{ machine: { env: { GREETING: "hello" } } }]);
    if ("failures" in result) throw new Error(JSON.stringify(result.failures));
    const { text, hash, redacted } = result.rendered;
    expect(hashDocuments(decodeDocuments(text))).toBe(hash);
    expect(redacted).toMatchObject({ machine: { env: { GREETING: "hello" } } });
    expect(text).toContain("GREETING: hello");
    expectNoSecrets(redacted, await sampleSecrets());
  });

  it("blames nothing for what is wrong without the patches, and can leave it to others", async () => {
    const documents = (await sampleDocuments()).map((document) =>
      "machine" in document ? { ...document, clustr: {} } : document,
    );
    const result = renderConfiguration(documents, [{ machine: { network: { hostname: "a" } } }]);
    if (!("failures" in result)) throw new Error("it was rendered");
    expect(result.failures.map(({ property }) => property).sort()).toEqual(["", "patches"]);
    expect(result.failures.find(({ property }) => property === "")?.reason).toContain("clustr");
    expect(renderConfiguration(documents, [], { judgesPatchesOnly: true })).toHaveProperty(
      "rendered",
    );
  });

  it("blames the patches for everything that is wrong, at once", async () => {
    const documents = await sampleDocuments();
    const result = renderConfiguration(documents, [{ machine: { kubelt: {}, netwrk: {} } }]);
    if (!("failures" in result)) throw new Error("it was rendered");
    expect(result.failures.map(({ property }) => property)).toEqual(["patches", "patches"]);
    expect(result.failures.map(({ reason }) => reason).join("\n")).toMatch(/kubelt[\s\S]*netwrk/);
  });
});
