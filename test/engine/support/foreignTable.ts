import {
  CreateRouteTableCommand,
  DeleteRouteTableCommand,
  DescribeVpcsCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import type { Emulator } from "../../../emulator";

/**
 * Puts somebody else's route table into the stack's network, which AWS then refuses to delete: a
 * `destroy` gets that far, and goes on once the table is gone.
 *
 * @returns what takes it out
 */
export async function putForeignTable({ url, region }: Emulator): Promise<() => Promise<void>> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const ec2 = new EC2Client({ region, endpoint: url, credentials });
  const { Vpcs = [] } = await ec2.send(
    new DescribeVpcsCommand({ Filters: [{ Name: "is-default", Values: ["false"] }] }),
  );
  const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId: Vpcs[0]?.VpcId }));
  return async () => {
    await ec2.send(new DeleteRouteTableCommand({ RouteTableId: RouteTable?.RouteTableId }));
    ec2.destroy();
  };
}
