import * as pulumi from "@pulumi/pulumi";
import { Network } from "../../components/network/network";
import { MachineSecrets } from "../../provider/resources/machineSecrets";
import { make } from "./cluster/clusters";
import { build } from "./mockedGraph";

/** What an attempt is refused for: paths and reasons. */
async function problemsOf(attempt: Promise<unknown>) {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return pulumi.InputPropertiesError.isInstance(error)
    ? error.errors.map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`)
    : error;
}

/** A variable, of which the compiler takes optional names that there aren't. */
const misspelt = { protec: true };

describe("an argument that there isn't", () => {
  it("is refused with a cluster's other problems, wherever it stands", async () => {
    const pool = { machineCount: 0.5, ...misspelt };
    expect(
      await problemsOf(make({ workerPools: { apps: pool }, ...{ workerPool: { apps: pool } } })),
    ).toEqual([
      'workerPool: there is no such argument: did you mean "workerPools"?',
      expect.stringMatching(/^workerPools\.apps\.protec: there is no such argument: known are /),
      expect.stringMatching(/^workerPools\.apps\.machineCount: a pool can't have 0\.5 /),
    ]);
  });

  it("is refused for a part of a cluster and for a resource, if it is similar to one", async () => {
    const network = { clusterName: "demo", zones: ["eu-central-1a"], ...misspelt };
    expect(await problemsOf(build(() => new Network("demo", network)))).toEqual([
      'protec: there is no such argument: did you mean "protect"?',
    ]);
    const secrets = { versionContract: "v1.14", ...{ importedSecret: "a" } };
    expect(await problemsOf(build(() => new MachineSecrets("demo", secrets)))).toEqual([
      'importedSecret: there is no such argument: did you mean "importedSecrets"?',
    ]);
  });
});
