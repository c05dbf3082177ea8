import type { Properties } from "../../../cli/properties";
import { Unsure } from "../../../cli/repair/searches/search";
import { searchFor } from "../../../cli/repair/searches/searches";

/** Answers by function, the last part of its token. */
type Answers = Readonly<Record<string, Properties | ((args: Properties) => Properties)>>;

describe("the search for a created resource", () => {
  it("identifies a rule by direction and content, not by tags", async () => {
    const rule = { ipProtocol: "tcp", fromPort: 6443, toPort: 6443, cidrIpv4: "10.0.0.0/8" };
    const rules: Record<string, Properties> = {
      "sgr-1": { ...rule, isEgress: true },
      "sgr-2": { ...rule, isEgress: false, toPort: 6444 },
      "sgr-3": { ...rule, isEgress: false, cidrIpv6: "", referencedSecurityGroupId: null },
      "sgr-4": { ...rule, isEgress: false, cidrIpv4: "11.0.0.0/8" },
    };
    const found = await search("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", {
      inputs: { securityGroupId: "sg-1", ...rule, tags: { Name: "api" } },
      answers: {
        getSecurityGroupRules: ({ filters }) => {
          expect(filters).toEqual([{ name: "group-id", values: ["sg-1"] }]);
          return { ids: Object.keys(rules) };
        },
        getSecurityGroupRule: ({ securityGroupRuleId: id }) => rules[String(id)] ?? {},
      },
    });
    expect(found).toEqual(["sgr-3"]);
  });

  it("treats a rule for all protocols as equal, with ports of -1 or none", async () => {
    const found = await search("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", {
      inputs: { securityGroupId: "sg-1", ipProtocol: "-1", cidrIpv4: "0.0.0.0/0" },
      answers: {
        getSecurityGroupRules: { ids: ["sgr-1"] },
        getSecurityGroupRule: {
          isEgress: true,
          ipProtocol: "-1",
          fromPort: -1,
          toPort: -1,
          cidrIpv4: "0.0.0.0/0",
        },
      },
    });
    expect(found).toEqual(["sgr-1"]);
  });

  it("identifies a network's second range by its content, and ignores former ones", async () => {
    const association = (associationId: string, cidrBlock: string, state = "associated") => ({
      associationId,
      cidrBlock,
      state,
    });
    const found = await search("aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation", {
      inputs: { vpcId: "vpc-1", cidrBlock: "100.64.0.0/16" },
      answers: {
        getVpc: ({ id }) => ({
          cidrBlockAssociations: [
            association("own", "10.0.0.0/16"),
            association("gone", "100.64.0.0/16", "disassociated"),
            association(`of-${String(id)}`, "100.64.0.0/16"),
          ],
        }),
      },
    });
    expect(found).toEqual(["of-vpc-1"]);
  });

  it("searches a machine by its subnet and all its tags, and ignores terminated ones", async () => {
    const found = await search("aws:ec2/instance:Instance", {
      inputs: { subnetId: "subnet-1", region: "eu-west-1", tags: { Name: "cp-1", team: "x" } },
      answers: {
        getInstances: (args) => {
          expect(args).toEqual({
            region: "eu-west-1",
            filters: [
              { name: "subnet-id", values: ["subnet-1"] },
              { name: "tag:Name", values: ["cp-1"] },
              { name: "tag:team", values: ["x"] },
            ],
            instanceStateNames: ["pending", "running", "stopping", "stopped"],
          });
          return { ids: ["i-1"] };
        },
      },
    });
    expect(found).toEqual(["i-1"]);
  });

  it("ignores an address that is in use, because another stack's can have the same tags", async () => {
    const inputs = { tags: { Name: "nat" } };
    const answers = {
      getEips: { allocationIds: ["eipalloc-1", "eipalloc-2"] },
      getElasticIp: ({ id }: Properties) => ({
        associationId: id === "eipalloc-1" ? "eipassoc-1" : "",
      }),
    };
    await expect(search("aws:ec2/eip:Eip", { inputs, answers })).rejects.toThrow(Unsure);
    // Of the recorded ones it is known whose they are.
    expect(await search("aws:ec2/eip:Eip", { inputs, answers, recorded: ["eipalloc-1"] })).toEqual([
      "eipalloc-2",
    ]);
  });

  it("ignores a network that has subnets", async () => {
    const inputs = { tags: { Name: "prod" } };
    const answers = (subnets: string[]) => ({
      getVpcs: { ids: ["vpc-1"] },
      getSubnets: { ids: subnets },
    });
    const type = "aws:ec2/vpc:Vpc";
    await expect(search(type, { inputs, answers: answers(["subnet-1"]) })).rejects.toThrow(Unsure);
    expect(await search(type, { inputs, answers: answers([]) })).toEqual(["vpc-1"]);
  });

  it("finds an internet gateway that is not attached yet", async () => {
    const found = await search("aws:ec2/internetGateway:InternetGateway", {
      inputs: { vpcId: "vpc-1", tags: { Name: "gateway" } },
      answers: {
        getInternetGateway: ({ filters }) => {
          if (JSON.stringify(filters).includes("attachment.vpc-id")) {
            throw new Error("no matching EC2 Internet Gateway found");
          }
          return { internetGatewayId: "igw-1", attachments: [] };
        },
      },
    });
    expect(found).toEqual(["igw-1"]);
  });

  it("identifies a route by its destination, and an association by its subnet", async () => {
    const answers = {
      getRouteTable: {
        routes: [
          { cidrBlock: "10.0.0.0/16", ipv6CidrBlock: "" },
          { cidrBlock: "", ipv6CidrBlock: "::/0" },
        ],
        associations: [
          { routeTableAssociationId: "rtbassoc-1", subnetId: "subnet-1", gatewayId: "" },
          { routeTableAssociationId: "rtbassoc-2", subnetId: "subnet-2", gatewayId: "" },
        ],
      },
    };
    const route = (inputs: Properties) =>
      search("aws:ec2/route:Route", { inputs: { routeTableId: "rtb-1", ...inputs }, answers });
    expect(await route({ destinationIpv6CidrBlock: "::/0" })).toEqual(["rtb-1_::/0"]);
    expect(await route({ destinationCidrBlock: "0.0.0.0/0" })).toEqual([]);
    const type = "aws:ec2/routeTableAssociation:RouteTableAssociation";
    const inputs = { routeTableId: "rtb-1", subnetId: "subnet-2" };
    expect(await search(type, { inputs, answers })).toEqual(["rtbassoc-2"]);
  });

  it("accepts a load balancer by name only with the requested tags", async () => {
    const type = "aws:lb/loadBalancer:LoadBalancer";
    const inputs = { name: "api-1a2b3c4", tags: { Name: "api" } };
    const answers = (tags: Properties) => ({ getLoadBalancer: { arn: "arn:1", tags } });
    expect(await search(type, { inputs, answers: answers({ Name: "api", more: "x" }) })).toEqual([
      "arn:1",
    ]);
    await expect(search(type, { inputs, answers: answers({ Name: "web" }) })).rejects.toThrow(
      Unsure,
    );
  });

  it("accepts an OIDC provider by URL only with the requested tags", async () => {
    const type = "aws:iam/openIdConnectProvider:OpenIdConnectProvider";
    const inputs = { url: "https://a.example.com", tags: { Name: "oidc" } };
    const answers = (tags: Properties) => ({ getOpenIdConnectProvider: { arn: "arn:1", tags } });
    expect(await search(type, { inputs, answers: answers({ Name: "oidc" }) })).toEqual(["arn:1"]);
    await expect(search(type, { inputs, answers: answers({ Name: "web" }) })).rejects.toThrow(
      Unsure,
    );
  });

  it("distinguishes absent from unknown", async () => {
    const type = "aws:iam/role:Role";
    const failing = (message: string) => ({
      getRole: () => {
        throw new Error(message);
      },
    });
    const absent = "reading IAM Role (x): couldn't find resource";
    const denied = "reading IAM Role (x): AccessDenied: not authorized to perform: iam:GetRole";
    expect(await search(type, { inputs: { name: "x" }, answers: failing(absent) })).toEqual([]);
    await expect(search(type, { inputs: { name: "x" }, answers: failing(denied) })).rejects.toThrow(
      denied,
    );
  });

  it("finds an imported snapshot by its tags, and is unsure of one that has none yet", async () => {
    const type = "aws:ebs/snapshotImport:SnapshotImport";
    const inputs = { tags: { Name: "storage" } };
    const imported = "Created by AWS-VMImport service for *";
    const answers = (tagged: string[], all: string[]): Answers => ({
      getSnapshotIds: ({ owners, filters }) => {
        expect(owners).toEqual(["self"]);
        const [description, ...tags] = filters as { name: string; values: string[] }[];
        expect(description).toEqual({ name: "description", values: [imported] });
        return { ids: tags.length > 0 ? tagged : all };
      },
      getSnapshot: ({ snapshotIds }) => ({
        tags: String(snapshotIds).startsWith("snap-bare") ? {} : { Name: "another" },
      }),
    });
    expect(await search(type, { inputs, answers: answers(["snap-1"], []) })).toEqual(["snap-1"]);
    expect(await search(type, { inputs, answers: answers([], ["snap-other"]) })).toEqual([]);
    const bare = { inputs, answers: answers([], ["snap-other", "snap-bare"]) };
    await expect(search(type, bare)).rejects.toThrow(/has no tags yet/);
    expect(await search(type, { ...bare, recorded: ["snap-bare"] })).toEqual([]);
  });

  it("knows which types may exist twice, and which types it can't search", () => {
    expect(searchFor({ type: "pulumi-nodejs:dynamic/talos:MachineBootstrap" })).toBe("repeatable");
    expect(searchFor({ type: "talos-aws:index:MachineBootstrap" })).toBe("repeatable");
    // Of the program's own, which may not find out its progress.
    expect(searchFor({ type: "pulumi-nodejs:dynamic:Resource" })).toBeUndefined();
    expect(searchFor({ type: "aws:lb/targetGroupAttachment:TargetGroupAttachment" })).toBe(
      "repeatable",
    );
    expect(searchFor({ type: "kubernetes:helm.sh/v3:Release" })).toBe("repeatable");
    expect(searchFor({ type: "aws:ec2/placementGroup:PlacementGroup" })).toBe("named");
    expect(searchFor({ type: "aws:rds/instance:Instance" })).toBeUndefined();
  });

  it("searches for nothing that exists in the state alone", () => {
    expect(searchFor({ type: "talos-aws:index:DnsRecord", custom: false })).toBe("repeatable");
    expect(searchFor({ type: "shop:index:Cluster", custom: false })).toBe("repeatable");
    expect(searchFor({ type: "pulumi:providers:aws", custom: true })).toBe("repeatable");
    expect(searchFor({ type: "aws:rds/instance:Instance", custom: true })).toBeUndefined();
  });
});

async function search(
  type: string,
  {
    inputs,
    answers,
    recorded = [],
  }: {
    readonly inputs: Properties;
    readonly answers: Answers;
    readonly recorded?: readonly string[];
  },
): Promise<readonly string[]> {
  const found = searchFor({ type });
  if (typeof found !== "function") {
    throw new Error(`there is no search for ${type}`);
  }
  const ask = (token: string, args: Properties) => {
    const answer = answers[token.split(":").at(-1) ?? ""];
    if (answer === undefined) {
      throw new Error(`nobody expected to be asked for ${token}`);
    }
    return Promise.resolve(typeof answer === "function" ? answer(args) : answer);
  };
  return found(
    inputs,
    (token, args) => Promise.resolve().then(() => ask(token, args)),
    new Set(recorded),
  );
}
