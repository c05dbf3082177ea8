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

  it("keeps inputs without drift in their given form", () => {
    expect(read({})).toEqual(given);
  });

  it("shows drift of given inputs only", () => {
    expect(read({ metadataOptions: { httpTokens: "optional" }, monitoring: true })).toMatchObject({
      metadataOptions: { httpTokens: "optional" },
    });
    expect(read({ monitoring: true })).not.toHaveProperty("monitoring");
  });

  it("shows added tags", () => {
    expect(read({ tagsAll: { Name: "a", owner: "us", by: "hand" } }).tags).toEqual({
      Name: "a",
      by: "hand",
    });
  });

  it("reads every property of an imported resource", () => {
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
  it("joins live properties with those that AWS does not return", () => {
    expect(outputsOf(instance, { ...given, userDataReplaceOnChange: true }, live)).toEqual({
      ...live,
      vpcSecurityGroupIds: ["sg-2", "sg-1"],
      tags: { Name: "a" },
      userDataReplaceOnChange: true,
    });
  });
});
