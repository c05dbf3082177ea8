import * as pulumi from "@pulumi/pulumi";
import {
  IngressLoadBalancer,
  type IngressLoadBalancerArgs,
} from "../../../components/endpoint/ingressLoadBalancer";
import { build, valueOf } from "../mockedGraph";

const LISTENER = "aws:lb/listener:Listener";
const TARGETS = "aws:lb/targetGroup:TargetGroup";
const LETS_IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const LETS_OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule";
const certificateArn =
  "arn:aws:acm:us-east-1:123456789012:certificate/0123abcd-0123-abcd-0123-0123456789ab";

const standard: IngressLoadBalancerArgs = {
  vpcId: "vpc-1",
  subnetIds: ["subnet-a", "subnet-b"],
  machineGroupId: "sg-workers",
  clientCidrs: ["203.0.113.0/24"],
  listeners: {
    https: {
      port: 443,
      targetPort: 30_080,
      certificateArn,
      healthCheck: { protocol: "http", port: 30_254, path: "/healthz" },
    },
    http: { port: 80, targetPort: 30_080, proxyProtocol: true },
  },
};
const make = (change: Partial<IngressLoadBalancerArgs> = {}, name = "c-web") =>
  build(() => new IngressLoadBalancer(name, { ...standard, ...change }));

describe("IngressLoadBalancer", () => {
  it("ends TLS where it has a certificate, and passes everything else on", async () => {
    const { value, graph } = await make();
    expect(graph.named(LISTENER, "c-web-https").inputs).toMatchObject({
      port: 443,
      protocol: "TLS",
      certificateArn,
      sslPolicy: "ELBSecurityPolicy-TLS13-1-2-2021-06",
      defaultActions: [{ type: "forward", targetGroupArn: "arn:c-web-https" }],
    });
    const plain = graph.named(LISTENER, "c-web-http").inputs;
    expect(plain).toMatchObject({ port: 80, protocol: "TCP" });
    expect(plain.sslPolicy).toBe("");
    expect(await valueOf(pulumi.output(value.targets.https?.targetGroupArn))).toBe(
      "arn:c-web-https",
    );
  });

  it("logs TLS connections to a bucket, and nothing unless it is asked to", async () => {
    const logging = { bucketName: "logs", prefix: "web" };
    const { graph } = await make({ accessLogs: logging });
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-web-lb").inputs).toMatchObject({
      accessLogs: { bucket: "logs", enabled: true, prefix: "web" },
    });
    const plain = (await make()).graph.named("aws:lb/loadBalancer:LoadBalancer", "c-web-lb");
    expect(plain.inputs.accessLogs).toEqual({ bucket: "", enabled: false });
  });

  it("asks machines whether they serve", async () => {
    const { graph } = await make();
    const { inputs, replacementTrigger } = graph.named(TARGETS, "c-web-https");
    expect(inputs).toMatchObject({
      port: 30_080,
      protocol: "TCP",
      preserveClientIp: "false",
      proxyProtocolV2: false,
      healthCheck: { protocol: "HTTP", port: "30254", path: "/healthz", matcher: "200-399" },
    });
    expect(replacementTrigger).toBe("arn:c-web-lb");
    const { healthCheck } = graph.named(TARGETS, "c-web-http").inputs;
    expect(healthCheck).toMatchObject({ protocol: "TCP", port: "30080" });
    expect(healthCheck).not.toHaveProperty("path");
  });

  it("lets in only clients that are named, and reaches only the ports of the machines", async () => {
    const { graph } = await make();
    const rules = (type: string) =>
      graph
        .ofType(type)
        .map(({ inputs }) =>
          [
            inputs.securityGroupId,
            inputs.fromPort,
            inputs.cidrIpv4 ?? inputs.referencedSecurityGroupId,
          ].join(" "),
        )
        .sort();
    expect(rules(LETS_IN)).toEqual([
      "c-web-ingress-id 443 203.0.113.0/24",
      "c-web-ingress-id 80 203.0.113.0/24",
      "sg-workers 30080 c-web-ingress-id",
      "sg-workers 30254 c-web-ingress-id",
    ]);
    expect(rules(LETS_OUT)).toEqual([
      "c-web-ingress-id 30080 sg-workers",
      "c-web-ingress-id 30254 sg-workers",
    ]);
    const { clientCidrs: _none, ...others } = standard;
    const world = await build(
      () => new IngressLoadBalancer("c-web", { ...others, allowWorld: true }),
    );
    expect(world.graph.named(LETS_IN, "c-web-ingress-443-from-0.0.0.0-0").inputs.cidrIpv4).toBe(
      "0.0.0.0/0",
    );
  });

  const https = { port: 443, targetPort: 30_443 };
  it.each<[string, Partial<IngressLoadBalancerArgs>, RegExp]>([
    ["no listener", { listeners: {} }, /listeners: no port is given/],
    [
      "a port twice",
      { listeners: { a: https, b: https } },
      /listeners\["b"\].port: "a" has port 443 already/,
    ],
    ["a name with a dot", { listeners: { "a.b": https } }, /listeners\["a.b"\]: "a.b" is no name/],
    [
      "a port of the machines",
      { listeners: { a: { ...https, targetPort: 50_000 } } },
      /targetPort: the port 50000 leads to the machines and keys/,
    ],
    [
      "no certificate",
      { listeners: { a: { ...https, certificateArn: "arn:aws:iam::1:server-certificate/a" } } },
      /certificateArn: "arn:aws:iam.*" is no ARN of a certificate/,
    ],
    [
      "ciphers without TLS",
      { listeners: { a: { ...https, sslPolicy: "x" } } },
      /sslPolicy: it has no effect where TLS ends in the cluster/,
    ],
    [
      "a path of an open port",
      { listeners: { a: { ...https, healthCheck: { path: "/healthz" } } } },
      /healthCheck.path: an open port has no path/,
    ],
    [
      "a path that isn't one",
      { listeners: { a: { ...https, healthCheck: { protocol: "http", path: "healthz" } } } },
      /healthCheck.path: "healthz" is no path/,
    ],
    [
      "logs without TLS",
      { listeners: { a: https }, accessLogs: { bucketName: "logs" } },
      /accessLogs.bucketName: AWS logs only TLS connections.*set a listener's certificateArn/,
    ],
    [
      "a URL as a bucket",
      { accessLogs: { bucketName: "s3://logs" } },
      /accessLogs.bucketName: "s3:\/\/logs" is no name of a bucket/,
    ],
    [
      "AWS' own folder",
      { accessLogs: { bucketName: "logs", prefix: "a/AWSLogs" } },
      /accessLogs.prefix: "a\/AWSLogs" is no folder for logs/,
    ],
    [
      "a folder with a slash",
      { accessLogs: { bucketName: "logs", prefix: "/web" } },
      /accessLogs.prefix: "\/web" is no folder for logs/,
    ],
    ["the world as a range", { clientCidrs: ["0.0.0.0/0"] }, /set allowWorld/],
    ["the world and ranges", { allowWorld: true }, /allowWorld allows every address/],
  ])("refuses %s", async (_what, change, reason) => {
    await expect(make(change)).rejects.toThrow(reason);
  });

  it("refuses a name that is too long for AWS", async () => {
    await expect(make({}, "a-cluster-with-a-pool")).rejects.toThrow(/at most 18 fit/);
  });
});
