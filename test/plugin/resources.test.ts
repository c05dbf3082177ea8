import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { check, diff } from "../../plugin/resources";
import { COMPLETE } from "../../provider/engine/usePlugin";
import { messageOf, type Properties, propertiesOf } from "../../provider/rpc/properties";
import { machineConfigurationInputs } from "../provider/resources/samples";

const TYPE = "talos-aws:index:MachineConfiguration";
const urn = `urn:pulumi:prod::shop::${TYPE}::controlplane`;
const plain = (properties: Properties) => messageOf(properties, () => false);

async function checked(olds: Properties, news: Properties) {
  const request = new messages.CheckRequest();
  request.setUrn(urn);
  request.setType(TYPE);
  request.setOlds(plain(olds));
  request.setNews(plain(news));
  const response = await check(request);
  // The engine prints the value of a property that a failure names, even of a secret one.
  expect(response.getFailuresList().map((failure) => failure.getProperty())).toEqual(
    response.getFailuresList().map(() => ""),
  );
  const failures = response.getFailuresList().map((failure) => failure.getReason());
  return { inputs: propertiesOf(response.getInputs()), failures };
}

async function diffOf(olds: Properties, news: Properties, ignoreChanges: readonly string[]) {
  const request = new messages.DiffRequest();
  request.setUrn(urn);
  request.setType(TYPE);
  request.setId("it");
  request.setOlds(new Struct());
  request.setOldInputs(plain(olds));
  request.setNews(plain(news));
  request.setIgnorechangesList([...ignoreChanges]);
  return (await diff(request)).getDiffsList();
}

it("says which arguments are wrong, and not what they are", async () => {
  const { failures } = await checked({}, { secretBundle: "the secret", patches: "the secret" });
  expect(failures).toEqual(
    expect.arrayContaining([
      'secretBundle: there is no such argument: did you mean "secretsBundle"?',
      "patches: it must be a list, not a text",
    ]),
  );
  expect(failures.join()).not.toContain("the secret");
});

it("takes manifests of a program in another language, whose texts are secret", async () => {
  const {
    redactedConfiguration: _outline,
    machineConfiguration: _text,
    machineConfigurationHash: _hash,
    installerImage: _installer,
    ...others
  } = await machineConfigurationInputs();
  const contents = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}";
  const manifests = [{ name: "shop", contents }];
  const { inputs, failures } = await checked({}, { ...others, inlineManifests: manifests });
  expect(failures).toEqual([]);
  expect(inputs.inlineManifests).toEqual(manifests);
  expect(JSON.stringify(inputs.redactedConfiguration)).toContain("kind: Namespace");
});

describe("ignoreChanges of a resource of the plugin", () => {
  const program = async (clusterName = "demo"): Promise<Properties> => ({
    ...(await machineConfigurationInputs()),
    clusterName,
    [COMPLETE]: true,
  });

  it("keeps an argument as it is recorded", async () => {
    const news = await program();
    const { inputs: olds } = await checked({}, news);
    // The engine has put the recorded argument in the place of the program's.
    const { inputs, failures } = await checked(olds, { ...news, clusterName: olds.clusterName });
    expect(failures).toEqual([]);
    expect(await diffOf(olds, inputs, ["clusterName"])).toEqual([]);
  });

  it("can't keep what is computed", async () => {
    const { inputs: olds } = await checked({}, await program());
    const changed = { ...(await program("other")), installerImage: olds.installerImage };
    expect((await checked(olds, changed)).failures).toEqual([
      expect.stringContaining('"ignoreChanges" can\'t name "installerImage"'),
    ]);
  });

  it.each([
    ["redactedConfiguration", "redactedConfiguration"],
    ["redactedConfiguration.machine.nodeLabels", "redactedConfiguration"],
    ['["installerImage"]', "installerImage"],
    ["secretsBundle", "secretsBundle"],
  ])("is refused by the diff for %s", async (path, name) => {
    const { inputs: olds } = await checked({}, await program());
    const { inputs: news } = await checked(olds, await program("other"));
    expect(await diffOf(olds, news, ["clusterName"])).toContain("redactedConfiguration");
    await expect(diffOf(olds, news, [path])).rejects.toThrow(
      `"ignoreChanges" can't name "${name}"`,
    );
  });
});
