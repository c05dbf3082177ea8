import { TalosCluster } from "../../components";
import { checkResource } from "../../emulator/aws/plugin/check";
import { resourceKinds } from "../../emulator/aws/plugin/resources/resourceKinds";
import type { Values } from "../../emulator/aws/plugin/value";
import { fullestCluster } from "./fullestCluster";
import { build } from "./mockedGraph";

/** What the mocked engine makes ids and ARNs of: resources' names. */
const MOCKED = /, got "(arn:demo-[\w-]+|demo-[\w-]+-id)"$/;

describe("the fullest cluster", () => {
  it("asks for nothing that the AWS provider 6.58 refuses", async () => {
    const { graph } = await build(() => new TalosCluster("demo", fullestCluster));
    const judged = graph.resources.flatMap(({ type, name, inputs }) => {
      const kind = resourceKinds.get(type);
      const context = { pulumiName: name, randomSeed: new Uint8Array(32) };
      return kind === undefined
        ? []
        : [{ name, failures: checkResource(kind, {}, inputs as Values, context).failures }];
    });
    expect(judged.length).toBeGreaterThan(100);
    const refused = judged.flatMap(({ name, failures }) =>
      failures
        .filter(({ reason }) => !MOCKED.test(reason))
        .map(({ reason }) => `${name}: ${reason}`),
    );
    expect(refused).toEqual([]);
  });
});
