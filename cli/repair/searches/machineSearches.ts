import { text, texts } from "../../properties";
import { list } from "./networkSearches";
import {
  askFor,
  type Filter,
  filter,
  ofTags,
  place,
  type Search,
  tagFilters,
  Unsure,
} from "./search";

export const machineSearches: Readonly<Record<string, Search>> = {
  "aws:ec2/instance:Instance": (inputs, ask) =>
    list(
      ask,
      "aws:ec2/getInstances:getInstances",
      inputs,
      [filter("subnet-id", text(inputs, "subnetId")), ...tagFilters(inputs)],
      // Without these states, the function returns only running machines, whatever the filters are.
      { instanceStateNames: ["pending", "running", "stopping", "stopped"] },
    ),

  "aws:ebs/volume:Volume": (inputs, ask) =>
    list(ask, "aws:ebs/getEbsVolumes:getEbsVolumes", inputs, [
      filter("availability-zone", text(inputs, "availabilityZone")),
      // An attached volume belongs to another machine.
      { name: "status", values: ["creating", "available"] },
      ...tagFilters(inputs),
    ]),

  "aws:ec2/launchTemplate:LaunchTemplate": async (inputs, ask) => {
    const live = await askFor(ask, "aws:ec2/getLaunchTemplate:getLaunchTemplate", {
      ...place(inputs),
      name: text(inputs, "name"),
    });
    return ofTags(inputs, live, text(live ?? {}, "id"), "a launch template of this name");
  },

  "aws:autoscaling/group:Group": async (inputs, ask) => {
    const name = text(inputs, "name");
    const live = await ask("aws:autoscaling/getAmiIds:getAmiIds", {
      ...place(inputs),
      names: [name],
    });
    return texts(live, "names").filter((each) => each === name);
  },

  "aws:ebs/snapshotImport:SnapshotImport": importedSnapshots,

  "aws:ec2/ami:Ami": images,
  "aws:ec2/amiCopy:AmiCopy": images,

  "aws:iam/role:Role": async (inputs, ask) => {
    const name = text(inputs, "name");
    const live = await askFor(ask, "aws:iam/getRole:getRole", { name });
    return ofTags(inputs, live, name, "a role of this name");
  },

  // An account has one provider per URL.
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": async (inputs, ask) => {
    const url = text(inputs, "url");
    const token = "aws:iam/getOpenIdConnectProvider:getOpenIdConnectProvider";
    const live = await askFor(ask, token, { url });
    return ofTags(inputs, live, text(live ?? {}, "arn"), "a provider of this URL");
  },

  "aws:iam/rolePolicy:RolePolicy": async (inputs, ask) => {
    const [roleName, name] = [text(inputs, "role"), text(inputs, "name")];
    const live = await askFor(ask, "aws:iam/getRolePolicies:getRolePolicies", { roleName });
    return texts(live ?? {}, "policyNames").includes(name) ? [`${roleName}:${name}`] : [];
  },

  "aws:iam/instanceProfile:InstanceProfile": async (inputs, ask) => {
    const name = text(inputs, "name");
    const live = await askFor(ask, "aws:iam/getInstanceProfile:getInstanceProfile", { name });
    if (live === undefined) {
      return [];
    }
    // It is created first and gets its role afterwards.
    if (!["", text(inputs, "role")].includes(text(live, "roleName"))) {
      throw new Unsure(`an instance profile of this name exists, with another role`, [name]);
    }
    return [name];
  },
};

/** AWS' description of the snapshot of an import, whatever the import's own is. */
const IMPORTED = "Created by AWS-VMImport service for *";

/**
 * The AWS provider tags a snapshot when its import has ended. So a run that was killed before leaves
 * one without tags, which may also be another stack's. An import that still runs in AWS has none yet:
 * then the next up imports the disk a second time. Source: terraform-provider-aws,
 * `internal/service/ec2/ebs_snapshot_import.go`.
 */
async function importedSnapshots(
  inputs: Parameters<Search>[0],
  ask: Parameters<Search>[1],
  recorded: ReadonlySet<string>,
): Promise<readonly string[]> {
  const idsOf = async (filters: readonly Filter[]) => {
    const asked = { ...place(inputs), owners: ["self"], filters };
    return texts(await ask("aws:ebs/getSnapshotIds:getSnapshotIds", asked), "ids");
  };
  const imported = filter("description", IMPORTED);
  const tagged = await idsOf([imported, ...tagFilters(inputs)]);
  if (tagged.length > 0) {
    return tagged;
  }
  const others = (await idsOf([imported])).filter((id) => !recorded.has(id));
  const bare: string[] = [];
  for (const id of others) {
    const asked = { ...place(inputs), snapshotIds: [id] };
    const { tags } = (await askFor(ask, "aws:ebs/getSnapshot:getSnapshot", asked)) ?? {};
    if (Object.keys(tags ?? {}).length === 0) {
      bare.push(id);
    }
  }
  if (bare.length > 0) {
    throw new Unsure("a disk was imported into a snapshot that has no tags yet", bare);
  }
  return [];
}

/** Names of an account's images are unique in a region. */
async function images(
  inputs: Parameters<Search>[0],
  ask: Parameters<Search>[1],
): Promise<readonly string[]> {
  const live = await askFor(ask, "aws:ec2/getAmi:getAmi", {
    ...place(inputs),
    owners: ["self"],
    filters: [filter("name", text(inputs, "name"))],
  });
  return ofTags(inputs, live, text(live ?? {}, "imageId"), "an image of this name");
}
