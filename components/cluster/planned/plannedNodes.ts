import { type Plan, plannedFlag, type PlannedPlaces } from "./plan";

/** What to do for nodes that wait for a cloud controller. */
export const CLOUD_PROVIDER =
  "set addOns.cloudController, or externalCloudProvider in machineConfiguration and in workers.machineConfiguration: other machines and add-ons count on it";

/** Kubernetes and etcd know a machine by its name. */
export function hostnames({ machineCount }: Plan): PlannedPlaces {
  const setting = {
    differsByMachine: true,
    wayOut:
      "set the machines' names by their own patches, or leave them to EC2: machines of one name don't join",
  };
  return machineCount === 1
    ? {}
    : {
        "machine.network.hostname": setting,
        ...plannedFlag("machine.kubelet", "hostname-override", setting),
      };
}

/** The AWS cloud controller finds machines by the names of their nodes. */
export function nodeNames({ args }: Plan): PlannedPlaces {
  const why = "the cloud controller finds machines by their nodes' names";
  const setting = { wayOut: `leave it to EC2: ${why}` };
  return args.addOns?.cloudController === undefined
    ? {}
    : {
        "machine.kubelet.registerWithFQDN": {
          default: false,
          wayOut: `set registerWithFqdn in machineConfiguration: ${why}`,
        },
        "machine.network.hostname": setting,
        ...plannedFlag("machine.kubelet", "hostname-override", setting),
      };
}

/** Flags of the kubelet that firewall and add-ons count on. */
export function kubeletFlags({ args }: Plan): PlannedPlaces {
  return {
    ...plannedFlag("machine.kubelet", "cloud-provider", { wayOut: CLOUD_PROVIDER }),
    ...plannedFlag("machine.kubelet", "port", {
      wayOut: "keep the port 10250, because the firewall and the metrics server use it",
    }),
    ...(args.addOns?.servingCertificateApprover === undefined
      ? {}
      : plannedFlag("machine.kubelet", "rotate-server-certificates", {
          wayOut:
            "set it in kubeletExtraArgs: the add-ons metricsServer and servingCertificateApprover count on it",
        })),
  };
}
