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
    expect(redacted).toContain("GREETING: hello");
    expect(text).toContain("GREETING: hello");
    expectNoSecrets(redacted, await sampleSecrets());
  });

  it("blames the patches for everything that is wrong, at once", async () => {
    const documents = await sampleDocuments();
    const result = renderConfiguration(documents, [{ machine: { kubelt: {}, netwrk: {} } }]);
    if (!("failures" in result)) throw new Error("it was rendered");
    expect(result.failures.map(({ property }) => property)).toEqual(["patches", "patches"]);
    expect(result.failures.map(({ reason }) => reason).join("\n")).toMatch(/kubelt[\s\S]*netwrk/);
  });
});
