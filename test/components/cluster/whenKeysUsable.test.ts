import * as pulumi from "@pulumi/pulumi";
import { answeringFrom } from "../../../components/account";
import {
  findKeyProblems,
  type KeyAnswer,
  whenKeysUsable,
} from "../../../components/cluster/makers/whenKeysUsable";
import { build } from "../mockedGraph";

const KEY = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const GET_KEY = "aws:kms/getKey:getKey";

describe("keys in KMS that encrypt Secrets", () => {
  const problems = (answer: KeyAnswer | Error) => {
    const ask = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
    const notes: string[] = [];
    return findKeyProblems([KEY], ask, (line) => notes.push(line)).then((found) => ({
      found: found.join(),
      notes: notes.join(),
    }));
  };
  const usable = { keySpec: "SYMMETRIC_DEFAULT", keyUsage: "ENCRYPT_DECRYPT" };

  it.each<[string, KeyAnswer | Error, string]>([
    ["is disabled", { ...usable, keyState: "Disabled" }, "run aws kms enable-key"],
    ["is being deleted", { ...usable, keyState: "PendingDeletion" }, "cancel-key-deletion"],
    [
      "signs",
      { keyUsage: "SIGN_VERIFY", keySpec: "RSA_2048" },
      "it is for SIGN_VERIFY with RSA_2048",
    ],
    ["has a pair", { keyUsage: "ENCRYPT_DECRYPT", keySpec: "RSA_2048" }, "take a symmetric one"],
    ["isn't there", new Error("NotFoundException: no key"), "KMS knows no such key"],
  ])("are refused if one %s", async (_, answer, why) => {
    const { found } = await problems(answer);
    expect(found).toContain(
      `secretsEncryption.kmsKeyArns: API servers could not use the key "${KEY}"`,
    );
    expect(found).toContain(why);
  });

  it("are taken if they are right, or if nobody may ask", async () => {
    expect(await problems({ ...usable, keyState: "Enabled" })).toEqual({ found: "", notes: "" });
    expect(await problems({})).toEqual({ found: "", notes: "" });
    const { found, notes } = await problems(new Error("AccessDeniedException"));
    expect(found).toBe("");
    expect(notes).toContain("AccessDeniedException");
  });

  it("are asked for in their region, and not without an account", async () => {
    const asked: unknown[] = [];
    const calls = {
      [GET_KEY]: (inputs: unknown) => {
        asked.push(inputs);
        return {};
      },
    };
    const judge = () => {
      const parent = new pulumi.ComponentResource("test:index:Parent", "parent");
      return new Promise<string[]>((resolve) => {
        whenKeysUsable([KEY, "secretbox"], parent).apply(resolve);
      });
    };
    expect((await build(judge, { calls, preview: true })).value).toEqual([KEY, "secretbox"]);
    expect(asked).toEqual([{ keyId: KEY, region: "eu-central-1" }]);
    const offline = { imageId: () => "", hostedZone: () => ({ zoneId: "", nameServers: [] }) };
    await build(() => answeringFrom(offline, judge), { calls, preview: true });
    expect(asked).toHaveLength(1);
  });
});
