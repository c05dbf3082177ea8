import { inputsFromLive, outputsOf } from "../../../../emulator/aws/plugin/projection";
import type { ResourceKind } from "../../../../emulator/aws/plugin/resourceKind";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import type { Values } from "../../../../emulator/aws/plugin/value";

function kindOf(type: string): ResourceKind {
  const kind = resourceKinds.get(type);
  if (kind === undefined) {
    throw new Error(`there is no ${type}`);
  }
  return kind;
}

const instance = kindOf("aws:ec2/instance:Instance");
const given: Values = {
  vpcSecurityGroupIds: ["sg-2", "sg-1"],
  metadataOptions: { httpTokens: "required" },
  tags: { Name: "a" },
  __defaults: [],
};
const live: Values = {
  vpcSecurityGroupIds: ["sg-1", "sg-2"],
  metadataOptions: { httpTokens: "required", httpEndpoint: "enabled" },
  monitoring: false,
  arn: "arn:1",
  tagsAll: { Name: "a", owner: "us" },
};

describe("inputsFromLive", () => {
  const read = (changes: Values, inputs = given) =>
    inputsFromLive(instance, inputs, { ...live, ...changes }, { owner: "us" });

  it("keeps the inputs where nothing drifted, in the form they were given", () => {
    expect(read({})).toEqual(given);
  });

  it("shows drift of what was given, and only of that", () => {
    expect(read({ metadataOptions: { httpTokens: "optional" }, monitoring: true })).toMatchObject({
      metadataOptions: { httpTokens: "optional" },
    });
    expect(read({ monitoring: true })).not.toHaveProperty("monitoring");
  });

  it("shows tags that somebody added", () => {
    expect(read({ tagsAll: { Name: "a", owner: "us", by: "hand" } }).tags).toEqual({
      Name: "a",
      by: "hand",
    });
  });

  it("takes everything AWS tells for a resource that is imported", () => {
    expect(read({}, {})).toEqual({
      vpcSecurityGroupIds: ["sg-1", "sg-2"],
      metadataOptions: { httpTokens: "required", httpEndpoint: "enabled" },
      monitoring: false,
      tags: { Name: "a" },
      __defaults: [],
    });
  });
});

describe("outputsOf", () => {
  it("joins what is live with what AWS does not tell", () => {
    expect(outputsOf(instance, { ...given, userDataReplaceOnChange: true }, live)).toEqual({
      ...live,
      vpcSecurityGroupIds: ["sg-2", "sg-1"],
      tags: { Name: "a" },
      userDataReplaceOnChange: true,
    });
  });
});
