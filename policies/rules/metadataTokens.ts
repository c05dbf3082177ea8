import { blockOf, isUnknown, textOf } from "../property";
import type { ResourceRule } from "../rule";

const MACHINES = ["aws:ec2/instance:Instance", "aws:ec2/launchTemplate:LaunchTemplate"];

/** Instance metadata, with the role's credentials, requires session tokens (IMDSv2). */
export const metadataTokens: ResourceRule = {
  name: "metadata-tokens",
  description: "EC2's metadata service requires session tokens (IMDSv2)",
  judge: ({ type, inputs }) => {
    const options = blockOf(inputs, "metadataOptions");
    const isSafe =
      textOf(options, "httpTokens") === "required" ||
      textOf(options, "httpEndpoint") === "disabled" ||
      isUnknown(inputs, "metadataOptions") ||
      isUnknown(options, "httpTokens");
    return !MACHINES.includes(type) || isSafe
      ? []
      : [
          'its metadata service answers without a session token, so a request that a pod is made to send can fetch the credentials of its role: set "metadataOptions.httpTokens" to "required"',
        ];
  },
};
