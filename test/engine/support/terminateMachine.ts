import { EC2Client, TerminateInstancesCommand } from "@aws-sdk/client-ec2";
import type { EngineWorld } from "./engineWorld";

/** Ends a machine without its stack's knowledge, as somebody in the AWS console does. */
export async function terminateMachine(
  { emulator }: Pick<EngineWorld, "emulator">,
  instanceId: string,
): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const ec2 = new EC2Client({ region: "us-east-1", endpoint: emulator.url, credentials });
  await ec2.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] }));
  ec2.destroy();
}
