import { redactServerMessage } from "../../../provider/api/serverMessage";

describe("redactServerMessage", () => {
  it.each([
    "not authorized",
    "configuration validation failed: 1 error occurred:\n\t* cluster endpoint is required\n",
    "Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff:\n\nNo changes.",
    "Applied configuration with a reboot",
    "",
  ])("keeps %p", (message) => {
    expect(redactServerMessage(message)).toBe(message);
  });

  it("removes a diff of configurations", () => {
    const message =
      "Dry run summary:\nApplied configuration with a reboot.\nConfig diff:\n\n--- a\n+++ b\n-token: hunter2\n";
    expect(redactServerMessage(message)).toBe(
      "Dry run summary:\nApplied configuration with a reboot.\nConfig diff: (not shown: it can contain secrets)",
    );
  });

  it("keeps the names of unknown keys, not their values", () => {
    const message =
      "failed to parse config: unknown keys found during decoding:\nmachine:\n    tokn: hunter2\n    keys:\n        - pem: |\n            hunter3\n";
    expect(redactServerMessage(message)).toBe(
      "failed to parse config: unknown keys found during decoding: machine, tokn, keys, pem",
    );
  });

  it("removes a value that could not be decoded", () => {
    const message =
      "decode error: yaml: unmarshal errors:\n  line 3: cannot unmarshal !!str `hunter2` into int";
    expect(redactServerMessage(message)).toBe(
      "decode error: yaml: unmarshal errors:\n  line 3: cannot unmarshal !!str (not shown: it can contain secrets) into int",
    );
  });
});
