import {
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DisassociateVpcCidrBlockCommand,
  EC2Client,
  ModifySecurityGroupRulesCommand,
} from "@aws-sdk/client-ec2";
import {
  RequestServiceQuotaIncreaseCommand,
  ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import type { LiveResource, Substitute } from "../../../../emulator/aws/plugin/substitute";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { ec2, REGION, startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

describe("network resources on the emulated cloud", () => {
  let world: SubstituteWorld;
  let substitute: Substitute;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    substitute = world.substitute;
  });

  afterAll(() => world.close());

  const make = (kind: string, news: Values) => world.make(ec2(kind), news);
  const change = (kind: string, before: LiveResource, news: Values) =>
    world.change(ec2(kind), before, news);
  const remove = (kind: string, resource: LiveResource) => world.remove(ec2(kind), resource);
  const vpc = (more: Values = {}) => make("Vpc", { cidrBlock: "10.0.0.0/16", ...more });

  it("give a VPC and its subnets IPv6 ranges, also later", async () => {
    const plain = await vpc();
    expect(plain.state.ipv6CidrBlock).toBe("");
    const network = await change("Vpc", plain, {
      cidrBlock: "10.0.0.0/16",
      assignGeneratedIpv6CidrBlock: true,
    });
    const { ipv6CidrBlock } = network.state;
    const block = typeof ipv6CidrBlock === "string" ? ipv6CidrBlock.replace("/56", "/64") : "";
    expect(block).toMatch(/::\/64$/);
    const vpcId = network.id;
    const subnet = await make("Subnet", { vpcId, cidrBlock: "10.0.0.0/24" });
    const dual = { vpcId, cidrBlock: "10.0.0.0/24", ipv6CidrBlock: block };
    const after = await change("Subnet", subnet, { ...dual, assignIpv6AddressOnCreation: true });
    expect(after.state).toMatchObject({ ipv6CidrBlock: block, assignIpv6AddressOnCreation: true });
    const without = await change("Subnet", after, { vpcId, cidrBlock: "10.0.0.0/24" });
    expect(without.state).toMatchObject({ ipv6CidrBlock: "", assignIpv6AddressOnCreation: false });
    await remove("Subnet", without);
    const off = await change("Vpc", network, { cidrBlock: "10.0.0.0/16" });
    expect(off.state.ipv6CidrBlock).toBe("");
    await remove("Vpc", off);
  });

  it("route through a NAT gateway, whose address the next one can use", async () => {
    const network = await vpc();
    const vpcId = network.id;
    const subnet = await make("Subnet", { vpcId, cidrBlock: "10.0.0.0/24" });
    const address = await make("Eip", { domain: "vpc", tags: { Name: "nat" } });
    expect(address.state.publicIp).toBe(`${world.elasticNetwork}.1`);
    const gateway = { allocationId: address.id, subnetId: subnet.id, tags: { Name: "nat" } };
    const first = await make("NatGateway", gateway);
    expect(first.state).toMatchObject({ publicIp: address.state.publicIp });
    const table = await make("RouteTable", { vpcId });
    const route = await make("Route", {
      routeTableId: table.id,
      destinationCidrBlock: "0.0.0.0/0",
      natGatewayId: first.id,
    });
    await remove("Route", route);
    await remove("NatGateway", first);
    const second = await make("NatGateway", gateway);
    expect(second.state.publicIp).toBe(address.state.publicIp);
    await change("NatGateway", second, { ...gateway, tags: { Name: "other" } });
    await remove("NatGateway", second);
    await remove("Eip", address);
    await remove("RouteTable", table);
    await remove("Subnet", subnet);
    await remove("Vpc", network);
  });

  it("route out through an egress-only gateway", async () => {
    const network = await vpc({ assignGeneratedIpv6CidrBlock: true });
    const gateway = await make("EgressOnlyInternetGateway", { vpcId: network.id });
    const table = await make("RouteTable", { vpcId: network.id });
    const route = await make("Route", {
      routeTableId: table.id,
      destinationIpv6CidrBlock: "::/0",
      egressOnlyGatewayId: gateway.id,
    });
    await remove("Route", route);
    await remove("EgressOnlyInternetGateway", gateway);
    await remove("RouteTable", table);
    await remove("Vpc", network);
  });

  it("add a gateway endpoint to route tables, and remove it from some", async () => {
    const network = await vpc();
    const vpcId = network.id;
    const tables = [await make("RouteTable", { vpcId }), await make("RouteTable", { vpcId })];
    const ids = tables.map(({ id }) => id);
    const s3 = { vpcId, serviceName: `com.amazonaws.${REGION}.s3` };
    const endpoint = await make("VpcEndpoint", { ...s3, routeTableIds: ids.slice(0, 1) });
    const both = await change("VpcEndpoint", endpoint, { ...s3, routeTableIds: ids });
    expect(both.state.routeTableIds).toEqual(ids);
    const one = await change("VpcEndpoint", both, { ...s3, routeTableIds: ids.slice(1) });
    await remove("VpcEndpoint", one);
    for (const table of tables) {
      await remove("RouteTable", table);
    }
    await remove("Vpc", network);
  });

  it("give a service addresses, and keep its group and subnets meanwhile", async () => {
    const network = await vpc({ enableDnsHostnames: true });
    const vpcId = network.id;
    const subnets = [
      await make("Subnet", { vpcId, cidrBlock: "10.0.0.0/24", availabilityZone: `${REGION}a` }),
      await make("Subnet", { vpcId, cidrBlock: "10.0.1.0/24", availabilityZone: `${REGION}b` }),
      await make("Subnet", { vpcId, cidrBlock: "10.0.2.0/24", availabilityZone: `${REGION}a` }),
    ];
    const [first = "", second = "", third = ""] = subnets.map(({ id }) => id);
    const group = await make("SecurityGroup", {
      vpcId,
      name: "endpoints",
      description: "endpoints",
    });
    const sts = {
      vpcId,
      serviceName: `com.amazonaws.${REGION}.sts`,
      vpcEndpointType: "Interface",
      securityGroupIds: [group.id],
      privateDnsEnabled: true,
    };
    await expect(make("VpcEndpoint", { ...sts, subnetIds: [first, third] })).rejects.toThrow(
      /another VPC endpoint subnet in the availability zone/,
    );
    const endpoint = await make("VpcEndpoint", { ...sts, subnetIds: [first] });
    expect(endpoint.state).toMatchObject({
      subnetIds: [first],
      securityGroupIds: [group.id],
      privateDnsEnabled: true,
      state: "available",
    });
    await expect(make("VpcEndpoint", { ...sts, subnetIds: [second] })).rejects.toThrow(
      /already a conflicting DNS domain/,
    );
    const both = await change("VpcEndpoint", endpoint, { ...sts, subnetIds: [first, second] });
    expect(both.state.subnetIds).toEqual([first, second]);
    const one = await change("VpcEndpoint", both, {
      ...sts,
      privateDnsEnabled: false,
      subnetIds: [second],
    });
    expect(one.state).toMatchObject({ subnetIds: [second], privateDnsEnabled: false });
    const client = new EC2Client(world.clientSettings);
    await expect(client.send(new DeleteSubnetCommand({ SubnetId: second }))).rejects.toThrow(
      /has dependencies/,
    );
    await expect(
      client.send(new DeleteSecurityGroupCommand({ GroupId: group.id })),
    ).rejects.toThrow(/dependent object/);
    client.destroy();
    await remove("VpcEndpoint", one);
    await remove("SecurityGroup", group);
    for (const subnet of subnets) {
      await remove("Subnet", subnet);
    }
    await remove("Vpc", network);
  });

  it("keep the kind of a firewall rule's source, as AWS does", async () => {
    const network = await vpc();
    const group = await make("SecurityGroup", { name: "api", vpcId: network.id });
    const type = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
    const opened = { securityGroupId: group.id, ipProtocol: "tcp", fromPort: 443, toPort: 443 };
    const rule = await world.make(type, { ...opened, cidrIpv4: "10.0.0.0/8" });
    const client = new EC2Client(world.clientSettings);
    const changeSource = (source: { CidrIpv6?: string; ReferencedGroupId?: string }) =>
      client.send(
        new ModifySecurityGroupRulesCommand({
          GroupId: group.id,
          SecurityGroupRules: [
            {
              SecurityGroupRuleId: rule.id,
              SecurityGroupRule: { IpProtocol: "tcp", FromPort: 443, ToPort: 443, ...source },
            },
          ],
        }),
      );
    await expect(changeSource({ ReferencedGroupId: group.id })).rejects.toThrow(
      /You may not specify a referenced group id for an existing IPv4 CIDR rule/,
    );
    await expect(changeSource({ CidrIpv6: "::/0" })).rejects.toThrow(
      /an IPv6 CIDR for an existing/,
    );
    client.destroy();
    await world.remove(type, rule);
    await remove("SecurityGroup", group);
    await remove("Vpc", network);
  });

  it("give a network a second range, and keep it while subnets are in it", async () => {
    const network = await vpc();
    const vpcId = network.id;
    const range = (cidrBlock: string) => make("VpcIpv4CidrBlockAssociation", { vpcId, cidrBlock });
    for (const restricted of ["192.168.0.0/16", "198.19.0.0/20"]) {
      await expect(range(restricted)).rejects.toThrow(/is restricted/);
    }
    await expect(range("10.0.128.0/17")).rejects.toThrow(/conflicts with another CIDR/);
    const second = await range("100.64.0.0/16");
    expect(second.state).toMatchObject({ vpcId, cidrBlock: "100.64.0.0/16" });
    const subnet = await make("Subnet", { vpcId, cidrBlock: "100.64.0.0/19" });
    const client = new EC2Client(world.clientSettings);
    await expect(
      client.send(new DisassociateVpcCidrBlockCommand({ AssociationId: second.id })),
    ).rejects.toThrow(/currently has a subnet within CIDR block/);
    client.destroy();
    await expect(remove("VpcIpv4CidrBlockAssociation", second)).rejects.toThrow(/currently has a/);
    await remove("Subnet", subnet);
    await remove("VpcIpv4CidrBlockAssociation", second);
    await remove("Vpc", network);
    const other = await make("Vpc", { cidrBlock: "172.16.0.0/16" });
    const kept = { vpcId: other.id, cidrBlock: "172.31.0.0/20" };
    await expect(make("VpcIpv4CidrBlockAssociation", kept)).rejects.toThrow(/is restricted/);
    await remove("Vpc", other);
  });

  it("know a requested quota of EC2, and no other", async () => {
    const ask = (serviceCode: string, quotaCode: string) =>
      substitute.invoke("aws:servicequotas/getServiceQuota:getServiceQuota", {
        serviceCode,
        quotaCode,
      });
    expect(await ask("vpc", "L-0EA8095F")).toMatchObject({ value: 60 });
    await expect(ask("ec2", "L-1216C47A")).rejects.toThrow();
    const client = new ServiceQuotasClient(world.clientSettings);
    await client.send(
      new RequestServiceQuotaIncreaseCommand({
        ServiceCode: "ec2",
        QuotaCode: "L-1216C47A",
        DesiredValue: 64,
      }),
    );
    client.destroy();
    expect(await ask("ec2", "L-1216C47A")).toMatchObject({ value: 64 });
  });

  it("record flow logs, and report why they fail", async () => {
    const network = await vpc();
    const log = {
      vpcId: network.id,
      trafficType: "ALL",
      logDestinationType: "s3",
      logDestination: "arn:aws:s3:::flows",
    };
    await expect(make("FlowLog", log)).rejects.toThrow(/flows does not exist/);
    await fetch(`${world.clientSettings.endpoint}/flows`, { method: "PUT" });
    const flowLog = await make("FlowLog", { ...log, tags: { Name: "flows" } });
    const tagged = await change("FlowLog", flowLog, { ...log, tags: { Name: "other" } });
    await remove("FlowLog", tagged);
    const group = await make("FlowLog", {
      ...log,
      logDestinationType: "cloud-watch-logs",
      logDestination: "arn:aws:logs:eu-west-1:123456789012:log-group:flows",
      iamRoleArn: "arn:aws:iam::123456789012:role/flows",
    });
    await remove("FlowLog", group);
    await remove("Vpc", network);
  });

  it("tag other owners' resources", async () => {
    const network = await vpc();
    const key = "kubernetes.io/cluster/demo";
    const tag = await make("Tag", { resourceId: network.id, key, value: "shared" });
    expect(tag.id).toBe(`${network.id},${key}`);
    const owned = await change("Tag", tag, { resourceId: network.id, key, value: "owned" });
    await remove("Tag", owned);
    await remove("Vpc", network);
  });

  it("open protocols without ports", async () => {
    const network = await vpc();
    const group = await make("SecurityGroup", { vpcId: network.id, description: "Group" });
    const type = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
    for (const more of [{ ipProtocol: "4" }, { ipProtocol: "icmp", fromPort: 8, toPort: 0 }]) {
      const peer = { securityGroupId: group.id, referencedSecurityGroupId: group.id };
      const rule = { ...peer, ...more, __defaults: [] };
      const made = await substitute.create(type, rule, {});
      expect(await substitute.read(type, made.id, made)).toEqual(made);
      expect(substitute.diff(type, made, rule).changes).toEqual({});
      await substitute.delete(type, made.id, made, {});
    }
    await remove("SecurityGroup", group);
    await remove("Vpc", network);
  });

  it("describe existing networks, and report missing ones", async () => {
    const network = await vpc({ enableDnsHostnames: true });
    const subnet = await make("Subnet", {
      vpcId: network.id,
      cidrBlock: "10.0.0.0/24",
      availabilityZone: `${REGION}b`,
    });
    expect(await substitute.invoke("aws:ec2/getVpc:getVpc", { id: network.id })).toMatchObject({
      cidrBlock: "10.0.0.0/16",
      cidrBlockAssociations: [{ cidrBlock: "10.0.0.0/16", state: "associated" }],
      enableDnsSupport: true,
      enableDnsHostnames: true,
    });
    expect(await substitute.invoke("aws:ec2/getSubnet:getSubnet", { id: subnet.id })).toMatchObject(
      {
        vpcId: network.id,
        availabilityZone: `${REGION}b`,
      },
    );
    await remove("Subnet", subnet);
    await remove("Vpc", network);
    await expect(substitute.invoke("aws:ec2/getVpc:getVpc", { id: network.id })).rejects.toThrow(
      `there is no VPC "${network.id}"`,
    );
    await expect(
      substitute.invoke("aws:ec2/getSubnet:getSubnet", { id: subnet.id }),
    ).rejects.toThrow(`there is no subnet "${subnet.id}"`);
  });

  it("move a subnet to another route table, and give up dedicated tenancy", async () => {
    const network = await vpc({ instanceTenancy: "dedicated" });
    const vpcId = network.id;
    const subnet = await make("Subnet", { vpcId, cidrBlock: "10.0.0.0/24" });
    const [first, second] = [
      await make("RouteTable", { vpcId }),
      await make("RouteTable", { vpcId }),
    ];
    const place = { subnetId: subnet.id, routeTableId: first.id };
    const association = await make("RouteTableAssociation", place);
    const next = { ...place, routeTableId: second.id };
    const moved = await change("RouteTableAssociation", association, next);
    const back = await change("RouteTableAssociation", moved, place);
    await remove("RouteTableAssociation", back);
    const shared = await change("Vpc", network, {
      cidrBlock: "10.0.0.0/16",
      instanceTenancy: "default",
    });
    expect(shared.state.instanceTenancy).toBe("default");
    for (const table of [first, second]) {
      await remove("RouteTable", table);
    }
    await remove("Subnet", subnet);
    await remove("Vpc", shared);
  });

  it("keep the description of a rule with a group as source, or without ports", async () => {
    const network = await vpc();
    const group = await make("SecurityGroup", { vpcId: network.id, name: "one" });
    const other = await make("SecurityGroup", { vpcId: network.id, name: "other" });
    const rule = {
      securityGroupId: group.id,
      referencedSecurityGroupId: group.id,
      ipProtocol: "4",
      description: "between machines",
    };
    const type = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
    const made = await world.make(type, rule);
    expect(made.state).toMatchObject(rule);
    const changed = await world.change(type, made, {
      ...rule,
      referencedSecurityGroupId: other.id,
      description: "from others",
    });
    expect(changed.state.referencedSecurityGroupId).toBe(other.id);
    await world.remove(type, changed);
    await remove("SecurityGroup", group);
    await remove("SecurityGroup", other);
    await remove("Vpc", network);
  });

  it("change a record's type in place", async () => {
    const zone = await world.make("aws:route53/zone:Zone", { name: "example.test" });
    const type = "aws:route53/record:Record";
    const place = { zoneId: zone.id, name: "api.example.test", ttl: 60 };
    const record = await world.make(type, { ...place, type: "A", records: ["192.0.2.1"] });
    const changed = await world.change(type, record, {
      ...place,
      type: "AAAA",
      records: ["2001:db8::1"],
    });
    await world.remove(type, changed);
    await world.remove("aws:route53/zone:Zone", zone);
  });
});
