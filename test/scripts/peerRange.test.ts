import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as aws from "@pulumi/aws";

const { peerDependencies } = JSON.parse(
  readFileSync(join(__dirname, "../../package.json"), "utf8"),
) as { readonly peerDependencies: Readonly<Record<string, string>> };

/**
 * The first release whose provider leaves termination protection alone (terraform-provider-aws PR 43722,
 * seen in the published package by `forceDestroy`: 7.2.0 hasn't it, 7.4.0 has). Earlier ones lift it by
 * themselves and end the machine.
 */
const FIRST_MINOR = 4;
const forceDestroy: keyof aws.ec2.InstanceArgs = "forceDestroy";

describe("the range of @pulumi/aws", () => {
  it("begins with the release that keeps protected machines until their protection is lifted", () => {
    expect(forceDestroy).toBe("forceDestroy");
    const [, major, minor] =
      /^\^(\d+)\.(\d+)\.0$/.exec(peerDependencies["@pulumi/aws"] ?? "") ?? [];
    expect(Number(major)).toBe(7);
    expect(Number(minor)).toBeGreaterThanOrEqual(FIRST_MINOR);
  });
});
