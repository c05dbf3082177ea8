import {
  EC2Client,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import type { EngineWorld } from "./engineWorld";

type Cloud = Pick<EngineWorld, "emulator">;

/** Ends a machine without its stack's knowledge, as somebody in the AWS console does. */
export async function terminateMachine(world: Cloud, instanceId: string): Promise<void> {
  await withEc2(world, (ec2) =>
    ec2.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] })),
  );
}

/** Stops a machine without its stack's knowledge, as AWS does when its host fails. */
export async function stopMachine(world: Cloud, instanceId: string): Promise<void> {
  await withEc2(world, (ec2) => ec2.send(new StopInstancesCommand({ InstanceIds: [instanceId] })));
}

/** Starts a machine that was stopped. It may get another public address. */
export async function startMachine(world: Cloud, instanceId: string): Promise<void> {
  await withEc2(world, (ec2) => ec2.send(new StartInstancesCommand({ InstanceIds: [instanceId] })));
}

async function withEc2(
  { emulator }: Cloud,
  act: (ec2: EC2Client) => Promise<unknown>,
): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const ec2 = new EC2Client({ region: "us-east-1", endpoint: emulator.url, credentials });
  try {
    await act(ec2);
  } finally {
    ec2.destroy();
  }
}
