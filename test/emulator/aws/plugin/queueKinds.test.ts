import { EVENTS, JsonClient, QUEUES } from "../../../../emulator/aws/plugin/jsonClient";
import { startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const QUEUE = "aws:sqs/queue:Queue";
const POLICY = "aws:sqs/queuePolicy:QueuePolicy";
const RULE = "aws:cloudwatch/eventRule:EventRule";
const TARGET = "aws:cloudwatch/eventTarget:EventTarget";

describe("queues and rules of EventBridge on the emulated cloud", () => {
  let world: SubstituteWorld;

  beforeAll(async () => {
    world = await startSubstituteWorld();
  });

  afterAll(async () => {
    await world.close();
  });

  it("carry an event of a rule to a queue, until they are deleted", async () => {
    const inputs = { name: "karpenter-demo", messageRetentionSeconds: 300 };
    const queue = await world.make(QUEUE, { ...inputs, tags: { Name: "demo" } });
    expect(queue.state).toMatchObject({
      arn: "arn:aws:sqs:us-east-1:123456789012:karpenter-demo",
      messageRetentionSeconds: 300,
      tagsAll: { Name: "demo" },
    });
    const changed = await world.change(QUEUE, queue, {
      ...inputs,
      sqsManagedSseEnabled: true,
      tags: { team: "us" },
    });
    expect(changed.state).toMatchObject({ sqsManagedSseEnabled: true, tagsAll: { team: "us" } });
    const pattern = { source: ["aws.health"], "detail-type": ["AWS Health Event"] };
    const rule = await world.make(RULE, {
      eventPattern: JSON.stringify(pattern),
      tags: { a: "b" },
    });
    expect(rule).toMatchObject({ state: { tagsAll: { a: "b" } } });
    const policyText = JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Service: "events.amazonaws.com" },
          Action: "sqs:SendMessage",
          Resource: queue.state.arn,
        },
      ],
    });
    const policy = await world.make(POLICY, { queueUrl: queue.id, policy: policyText });
    const target = await world.make(TARGET, {
      rule: rule.id,
      targetId: "karpenter",
      arn: queue.state.arn ?? "",
    });
    const { endpoint, region } = world.clientSettings;
    const connection = { endpoint, region, accessKeyId: "test" };
    const entry = { Source: "aws.health", DetailType: "AWS Health Event", Detail: "{}" };
    await new JsonClient(EVENTS, connection).call("PutEvents", { Entries: [entry] });
    const queues = new JsonClient(QUEUES, connection);
    const { Messages } = (await queues.call("ReceiveMessage", { QueueUrl: queue.id })) as {
      readonly Messages: readonly { readonly Body: string }[];
    };
    expect(JSON.parse(Messages[0]?.Body ?? "")).toMatchObject({ source: "aws.health" });
    await expect(world.remove(RULE, rule)).rejects.toThrow(/targets/);
    await world.remove(TARGET, target);
    await world.remove(RULE, rule);
    await world.remove(POLICY, policy);
    await world.remove(QUEUE, changed);
  });
});
