import { ACCOUNT, type Call, REGION } from "../../components/permissions/judgePolicy";
import type { AwsCall } from "../../engine/support/awsCall";

type Tags = Readonly<Record<string, string>>;

const ec2 = (kind: string, account = ACCOUNT) =>
  `arn:aws:ec2:${REGION}:${account}:${kind}/${kind}-0123456789abcdef0`;
const asContext = (kind: "RequestTag" | "ResourceTag", tags: Tags) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:${kind}/${key}`, value]));

/** The tags that a call gives to what it makes, by the type of resource. */
function tagsGiven({ parameters }: AwsCall): Readonly<Record<string, Tags>> {
  const types = Object.entries(parameters).flatMap(([name, type]) => {
    const [, specification] = /^(TagSpecification\.\d+)\.ResourceType$/.exec(name) ?? [];
    return specification === undefined ? [] : [[specification, type] as const];
  });
  return Object.fromEntries(
    types.map(([specification, type]) => [type, tagsUnder(parameters, `${specification}.Tag.`)]),
  );
}

function tagsUnder(parameters: AwsCall["parameters"], prefix: string): Tags {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, key]) =>
      name.startsWith(prefix) && name.endsWith(".Key")
        ? [[key, parameters[name.replace(/Key$/, "Value")] ?? ""]]
        : [],
    ),
  );
}

/** The tags of what is there: that of machines and launch templates is what a launch gave them. */
function tagsThere(calls: readonly AwsCall[], type: string): readonly Tags[] {
  return calls.flatMap((call) => {
    const { [type]: tags } = tagsGiven(call);
    return tags === undefined ? [] : [tags];
  });
}

/**
 * What IAM is asked for a call of Karpenter: each action with each resource, and with the tags that the call really gives.
 * A launch also passes the role of its instance profile. Source: Service Authorization Reference, "Amazon EC2".
 */
export function permissionsOf(
  call: AwsCall,
  calls: readonly AwsCall[],
  roleArn: string,
): readonly Call[] {
  const { service, action: name, parameters } = call;
  const action = `${service}:${name}`;
  if (service === "sqs") {
    const queue = parameters.QueueName ?? parameters.QueueUrl?.split("/").at(-1) ?? "";
    return [{ action, resource: `arn:aws:sqs:${REGION}:${ACCOUNT}:${queue}` }];
  }
  if (parameters.InstanceProfileName !== undefined) {
    const profile = `instance-profile/${parameters.InstanceProfileName}`;
    return [{ action, resource: `arn:aws:iam::${ACCOUNT}:${profile}` }];
  }
  const there = (type: string) =>
    tagsThere(calls, type).map((tags) => ({
      action,
      resource: ec2(type),
      context: asContext("ResourceTag", tags),
    }));
  switch (name) {
    case "CreateFleet":
    case "RunInstances":
      return [
        ...made(call),
        ...there("launch-template"),
        ...["subnet", "security-group"].map((kind) => ({ action, resource: ec2(kind) })),
        { action, resource: ec2("image", "") },
        {
          action: "iam:PassRole",
          resource: roleArn,
          context: { "iam:PassedToService": "ec2.amazonaws.com" },
        },
      ].filter(({ resource }) => name === "RunInstances" || !resource.includes("security-group"));
    case "CreateLaunchTemplate":
      return made(call);
    case "CreateTags":
      return there("instance").map((each) => ({
        ...each,
        context: { ...each.context, "aws:TagKeys": Object.keys(tagsUnder(parameters, "Tag.")) },
      }));
    case "TerminateInstances":
      return there("instance");
    case "DeleteLaunchTemplate":
      return there("launch-template");
    default:
      return [{ action, resource: "*" }];
  }
}

/** What a call makes, with its tags. */
function made(call: AwsCall): Call[] {
  return Object.entries(tagsGiven(call)).flatMap(([type, tags]) => {
    const context = asContext("RequestTag", tags);
    return [
      { action: `ec2:${call.action}`, resource: ec2(type), context },
      {
        action: "ec2:CreateTags",
        resource: ec2(type),
        context: { ...context, "ec2:CreateAction": call.action },
      },
    ];
  });
}
