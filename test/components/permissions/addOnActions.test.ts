import {
  type KnownPermissions,
  planPermissions,
} from "../../../components/permissions/planNodePolicy";
import recorded from "./addOnActions.json";
import type { AwsAddOnName } from "./addOnCalls";
import { expandAction } from "./iamActions";

interface Actions {
  /** Of the project's own policies. */
  readonly upstream: readonly string[];
  /** Why a role of this package lacks one of them. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** Why it has one besides them. */
  readonly more: Readonly<Record<string, string>>;
}

const actions: Readonly<Record<AwsAddOnName, Actions>> = recorded;

/** The permissions of the role that an add-on's service account has of its own. */
const permissions: Readonly<Record<AwsAddOnName, KnownPermissions>> = {
  cloudController: { cloudController: true },
  ebsCsi: { ebsCsi: true },
  clusterAutoscaler: { clusterAutoscaler: true },
  loadBalancerController: { loadBalancerController: true },
  externalDns: { externalDnsZoneIds: ["Z0123456789ABCDEFGHIJ"] },
  auditLog: { auditLogGroupName: "/talos/prod/audit" },
  karpenter: { karpenterQueueName: "karpenter-prod" },
};

const scope = { region: "eu-central-1", clusterName: "prod" };

describe.each(Object.keys(permissions) as AwsAddOnName[])("the role of %s", (addOn) => {
  const { upstream, leftOut, more } = actions[addOn];
  const granted = planPermissions(scope, permissions[addOn]).flatMap(({ Action }) => Action);
  const expanded = Promise.all(granted.map(expandAction)).then((each) => each.flat());

  it("has each action of upstream's policies, or a reason against it", async () => {
    const allowed = await expanded;
    const missing = upstream.filter((action) => !allowed.includes(action));
    expect(missing.sort()).toEqual(Object.keys(leftOut).sort());
  });

  it("has no other action without a reason, its wildcards included", async () => {
    const others = (await expanded).filter((action) => !upstream.includes(action));
    expect([...new Set(others)].sort()).toEqual(Object.keys(more).sort());
  });
});
