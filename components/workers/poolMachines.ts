import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";

/** The tag that EC2 sets on every machine of a launch template. Source: EC2 user guide. */
const TEMPLATE_TAG = "tag:aws:ec2launchtemplate:id";
const VERSION_TAG = "tag:aws:ec2launchtemplate:version";

const ALIVE = ["pending", "running"];

/** A machine of an auto scaling group. */
export interface PoolMachine {
  readonly instanceId: string;
  readonly privateAddress: string;
}

/** The machines of a launch template, split by version: newest or older. */
export interface PoolMachines {
  readonly old: readonly PoolMachine[];
  readonly current: readonly PoolMachine[];
}

/** The machines to find. */
export interface PoolMachinesQuery {
  readonly templateId: string;
  /** The newest version of the template. */
  readonly version: string;
  /** Only those in these subnets. Default: all. */
  readonly subnetIds?: readonly string[];
}

/**
 * Asks EC2 for the machines of a launch template. Needs `ec2:DescribeInstances`.
 *
 * @param options to find the provider
 */
export async function findPoolMachines(
  { templateId, version, subnetIds }: PoolMachinesQuery,
  options: pulumi.InvokeOptions,
): Promise<PoolMachines> {
  const ask = async (more: { name: string; values: string[] }[]): Promise<PoolMachine[]> => {
    const { ids, privateIps } = await aws.ec2.getInstances(
      {
        filters: [
          { name: TEMPLATE_TAG, values: [templateId] },
          ...(subnetIds === undefined ? [] : [{ name: "subnet-id", values: [...subnetIds] }]),
          ...more,
        ],
        instanceStateNames: ALIVE,
      },
      options,
    );
    return ids.map((instanceId, index) => ({
      instanceId,
      privateAddress: privateIps[index] ?? "",
    }));
  };
  const current = await ask([{ name: VERSION_TAG, values: [version] }]);
  const all = await ask([]);
  const known = new Set(current.map(({ instanceId }) => instanceId));
  return { current, old: all.filter(({ instanceId }) => !known.has(instanceId)) };
}

/**
 * Asks EC2 which of some private addresses machines have. Needs `ec2:DescribeInstances`.
 *
 * @param which.states default: machines that run or start
 * @param which.vpcId only machines of this network. Default: all
 * @param options to find the provider
 */
export async function machinesAt(
  addresses: readonly string[],
  which: { readonly states?: readonly string[]; readonly vpcId?: string },
  options: pulumi.InvokeOptions,
): Promise<ReadonlySet<string>> {
  const { states = ALIVE, vpcId } = which;
  const { privateIps } = await aws.ec2.getInstances(
    {
      filters: [
        { name: "private-ip-address", values: [...addresses] },
        ...(vpcId === undefined ? [] : [{ name: "vpc-id", values: [vpcId] }]),
      ],
      instanceStateNames: [...states],
    },
    options,
  );
  return new Set(privateIps);
}
