import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  type AutoScalingGroup,
} from "@aws-sdk/client-auto-scaling";
import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  EC2Client,
  type Instance,
} from "@aws-sdk/client-ec2";
import { talosImages } from "../../../../emulator/aws/amis";
import type { LiveResource } from "../../../../emulator/aws/plugin/substitute";
import type { Values } from "../../../../emulator/aws/plugin/value";
import {
  ec2 as ec2Type,
  REGION,
  startSubstituteWorld,
  type SubstituteWorld,
} from "./substituteWorld";

export const GROUP = "aws:autoscaling/group:Group";
export const TEMPLATE = ec2Type("LaunchTemplate");

/** The id of the Talos image for an architecture. */
export function imageOf(architecture: string): string {
  const name = `talos-v1.12.1-${REGION}-${architecture}`;
  return talosImages().find((image) => image.name === name)?.ami_id ?? "";
}

/** The latest version of a launch template, as a group names it. */
export function versionOf({ state }: LiveResource): string {
  return JSON.stringify(state.latestVersion);
}

/** User data in the form of a launch template. */
export function userData(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** An emulated cloud with a network of three zones, in which auto scaling groups launch machines. */
export class AutoScalingWorld {
  private names = 0;

  private constructor(
    readonly world: SubstituteWorld,
    readonly ec2: EC2Client,
    readonly autoScaling: AutoScalingClient,
    readonly subnets: string[],
    readonly securityGroup: string,
    readonly profile: string,
  ) {}

  /** Starts one. `close` it. */
  static async start(): Promise<AutoScalingWorld> {
    const world = await startSubstituteWorld();
    const vpc = await world.make(ec2Type("Vpc"), { cidrBlock: "10.0.0.0/16" });
    const subnets: string[] = [];
    for (const zone of ["a", "b", "c"]) {
      const subnet = await world.make(ec2Type("Subnet"), {
        vpcId: vpc.id,
        cidrBlock: `10.0.${subnets.length}.0/24`,
        availabilityZone: `${REGION}${zone}`,
      });
      subnets.push(subnet.id);
    }
    const group = await world.make(ec2Type("SecurityGroup"), { vpcId: vpc.id, description: "x" });
    const role = await world.make("aws:iam/role:Role", { assumeRolePolicy: "{}" });
    const made = await world.make("aws:iam/instanceProfile:InstanceProfile", { role: role.id });
    return new AutoScalingWorld(
      world,
      new EC2Client(world.clientSettings),
      new AutoScalingClient(world.clientSettings),
      subnets,
      group.id,
      made.id,
    );
  }

  async close(): Promise<void> {
    this.ec2.destroy();
    this.autoScaling.destroy();
    await this.world.close();
  }

  /** What a launch template launches. */
  content(more: Values = {}): Values {
    return {
      imageId: imageOf("amd64"),
      instanceType: "m6i.large",
      userData: userData("one"),
      ...more,
    };
  }

  /** Makes a launch template. */
  template(more: Values = {}): Promise<LiveResource> {
    return this.world.make(TEMPLATE, { name: `template-${++this.names}`, ...this.content(more) });
  }

  /** Makes an auto scaling group of a launch template. */
  group(made: LiveResource, more: Values = {}): Promise<LiveResource> {
    return this.world.make(GROUP, {
      name: `group-${++this.names}`,
      minSize: 0,
      maxSize: 9,
      vpcZoneIdentifiers: this.subnets,
      launchTemplate: { id: made.id, version: versionOf(made) },
      ...more,
    });
  }

  async groupNamed(name: string): Promise<AutoScalingGroup | undefined> {
    const { AutoScalingGroups } = await this.autoScaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] }),
    );
    return AutoScalingGroups?.[0];
  }

  async instancesOf(name: string): Promise<Instance[]> {
    const ids = ((await this.groupNamed(name))?.Instances ?? []).map(
      ({ InstanceId }) => InstanceId,
    );
    if (ids.length === 0) {
      return [];
    }
    const { Reservations } = await this.ec2.send(
      new DescribeInstancesCommand({ InstanceIds: ids.flatMap((id) => id ?? []) }),
    );
    return (Reservations ?? []).flatMap(({ Instances }) => Instances ?? []);
  }

  async userDataOf(instance: Instance | undefined): Promise<string> {
    const { UserData } = await this.ec2.send(
      new DescribeInstanceAttributeCommand({
        InstanceId: instance?.InstanceId,
        Attribute: "userData",
      }),
    );
    return Buffer.from(UserData?.Value ?? "", "base64").toString("utf8");
  }
}
