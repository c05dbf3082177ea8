import { type PolicyDocument, policyOf } from "./policyDocument";

/** The policy of a queue that one rule of EventBridge fills, and nobody reads or writes without TLS. */
export function planQueuePolicy(queueArn: string, ruleArn: string): PolicyDocument {
  return policyOf([
    {
      Sid: "Events",
      Effect: "Allow",
      Action: ["sqs:SendMessage"],
      Principal: { Service: "events.amazonaws.com" },
      Resource: queueArn,
      Condition: { ArnEquals: { "aws:SourceArn": ruleArn } },
    },
    {
      Sid: "OnlyTls",
      Effect: "Deny",
      Action: ["sqs:*"],
      Principal: { AWS: "*" },
      Resource: queueArn,
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    },
  ]);
}
