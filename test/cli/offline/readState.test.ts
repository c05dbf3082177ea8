import type { Deployment } from "@pulumi/pulumi/automation";
import { readState } from "../../../cli/offline/readState";

const options = { project: "talos-aws", stack: "staging", hasPassphrase: false };
const urn = "urn:pulumi:staging::talos-aws::pulumi:pulumi:Stack::talos-aws-staging";
const resource = { urn, type: "pulumi:pulumi:Stack" };
const secret = { "4dabf18193072939515e22adb298388d": "1b47", ciphertext: "v1:abc" };

function stateOf(deployment: unknown): Deployment {
  return { version: 3, deployment };
}

describe("readState", () => {
  it("reads an empty stack", () => {
    const none = { resources: [], isClear: true };
    expect(readState(stateOf({}), options)).toEqual(none);
    expect(readState(stateOf({ resources: null }), options)).toEqual(none);
  });

  it("reads secrets in clear, and encrypted ones with a passphrase", () => {
    expect(readState(stateOf({ resources: [resource] }), options)).toEqual({
      resources: [resource],
      isClear: true,
    });
    const encrypted = stateOf({
      resources: [{ ...resource, outputs: { kubeconfig: secret } }],
      secrets_providers: { type: "passphrase" },
    });
    expect(readState(encrypted, { ...options, hasPassphrase: true }).isClear).toBe(false);
    expect(() => readState(encrypted, options)).toThrow(
      "the state can't be used for a preview: its secrets are encrypted with a passphrase: set PULUMI_CONFIG_PASSPHRASE to it",
    );
  });

  it("rejects secrets that need an external key service", () => {
    const encrypted = stateOf({
      resources: [{ ...resource, outputs: { kubeconfig: secret } }],
      secrets_providers: { type: "cloud" },
    });
    expect(() => readState(encrypted, { ...options, hasPassphrase: true })).toThrow(
      'its secrets are encrypted by "cloud", which isn\'t available here: export it with --show-secrets',
    );
  });

  it("rejects a file that is not a state, or another stack's state", () => {
    for (const nothing of [undefined, null, "text"]) {
      expect(() => readState(stateOf(nothing), options)).toThrow('it has no "deployment"');
    }
    expect(() =>
      readState(stateOf({ resources: [resource] }), { ...options, stack: "production" }),
    ).toThrow(
      'it belongs to the stack "staging" of the project "talos-aws", not to "production" of "talos-aws"',
    );
  });
});
