import { decodeDocuments, encodeDocuments } from "../../provider/config/encode";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { applyPatches } from "../../provider/config/patch";
import { validateDocuments } from "../../provider/config/validate";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { olderPatches, shownIn } from "../provider/config/rules/instead/olderPatches";
import { oracleSchema } from "./support/oracleRelease";
import { describeWithOracles } from "./support/withOracles";

const MINOR = "v1.14";

const title = "what is shown instead of a field that has a document, as Talos' own code takes it";
describeWithOracles(title, "instead", ({ oracle, secretInput }) => {
  const schema = oracleSchema(MINOR);
  let config: string;

  beforeAll(async () => {
    const documents = generateMachineConfig({
      clusterName: "example",
      endpoint: "https://api.example.com:6443",
      machineType: "controlplane",
      secretsBundle: await secretInput("secrets bundle", () => generateSecretsBundle()),
      versionContract: MINOR,
      kubernetesVersion: "1.37.0",
      installDisk: "/dev/xvda",
      installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
    });
    config = encodeDocuments(documents, schema);
  });

  /** What Talos makes of a patch, and says of the result. */
  async function afterTalos(patch: string) {
    const { result = "" } = await oracle(MINOR).patch(config, [patch]);
    return { result, verdict: await oracle(MINOR).validate(result, { strict: false }) };
  }

  test.each(olderPatches)("$patch", async ({ patch, field }) => {
    const { result: older, verdict } = await afterTalos(patch);
    expect(verdict.refused).toBeDefined();
    const problems = validateDocuments(decodeDocuments(older, schema), { schema });
    const { message = "" } = problems.find(({ path }) => path === field) ?? {};

    const shown = shownIn(message);
    const newer = await afterTalos(shown);
    const ours = applyPatches(decodeDocuments(config, schema), [shown], { schema });
    expect(encodeDocuments(ours, schema)).toBe(newer.result);
    expect(newer.verdict).toEqual({ result: expect.anything() as unknown });
  });
});
