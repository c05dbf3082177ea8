import * as pulumi from "@pulumi/pulumi";
import { ConfigurationApply, KubernetesUpgrade } from "../../../provider";
import { UNKNOWN } from "../../../provider/base/unknown";
import { outlineOf } from "../../../provider/render/renderMachineConfiguration";
import { build } from "../../components/mockedGraph";

const outline = { machine: { type: "worker" }, cluster: {} };
const machine = {
  machineId: "i-1",
  node: "10.0.0.1",
  machineConfiguration: "",
  credentials: { ca: "", crt: "", key: "" },
};

it("is passed from a program as one text", async () => {
  const { graph } = await build(() => {
    const redactedConfiguration = pulumi.output(outline);
    new ConfigurationApply("with", { ...machine, redactedConfiguration });
    new ConfigurationApply("without", machine);
    new KubernetesUpgrade("upgrade", { ...machine, redactedConfiguration: outline });
  });
  const text = JSON.stringify(outline);
  const apply = (name: string) =>
    graph.named("pulumi-nodejs:dynamic/talos:ConfigurationApply", name).inputs;
  expect(apply("with").roleOutline).toBe(text);
  expect(apply("without")).not.toHaveProperty("roleOutline");
  const upgrade = graph.named("pulumi-nodejs:dynamic/talos:KubernetesUpgrade", "upgrade");
  expect(upgrade.inputs.redactedConfiguration).toBe(text);
});

it.each([
  ["a text", JSON.stringify(outline), outline],
  ["a mapping", outline, outline],
  ["nothing", "", undefined],
  ["an unknown value", UNKNOWN, undefined],
  ["a missing value", undefined, undefined],
])("is read from %s", (_, given, read) => {
  expect(outlineOf(given)).toEqual(read);
});
