import { checkRotation } from "../../../provider/pki";
import { installedCharts } from "../../addOns/addOnChoices";
import { checkAddOns } from "../../addOns/checkAddOns";
import { ADD_ON_DELIVERIES } from "../../addOns/common/addOnDelivery";
import { checkWord, problemAt, wholeNumber } from "../../argumentChecks";
import { defined } from "../../defined";
import { checkApiLoadBalancer } from "../../endpoint/apiLoadBalancer";
import { checkDnsRecord, dnsLabelProblem, dnsNameProblem } from "../../endpoint/checkDns";
import { checkFirewall } from "../../firewall/checkFirewall";
import { checkGroupNames } from "../../firewall/firewall";
import { checkHelm } from "../../helm";
import { talosVersionProblem } from "../../machines/machineImage";
import { checkNetwork } from "../../network/checkNetwork";
import { judge, type PropertyProblem, within } from "../../problems";
import { checkMetadataAccess } from "../addOns/checkMetadataAccess";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import { checkIsolation } from "../isolation/checkIsolation";
import { checkClusterAccess } from "../plan/clusterAccess";
import { checkIrsa } from "../plan/clusterIrsa";
import { checkAdoptedNat, checkMachineAccess } from "../plan/planMachineAccess";
import { checkMetrics } from "../plan/planMetrics";
import { checkPodNetwork } from "../plan/planPodNetwork";
import { checkSecretsEncryption } from "../plan/planSecretsKeys";
import { checkClusterControlPlane } from "./checkClusterControlPlane";
import { checkMachineConfiguration } from "./checkMachineConfiguration";
import { checkQuotas } from "./checkQuotas";
import { checkRoleNames } from "./checkRoleNames";
import { checkWorkerPools } from "./checkWorkerPools";

/** What arguments of the load balancer are called in a cluster's. */
const ENTRANCE_ARGUMENTS: Readonly<Record<string, string>> = {
  healthCheck: "apiHealthCheck",
  idleTimeoutSeconds: "loadBalancerIdleTimeoutSeconds",
};

/** The lifetime of the cluster's own CA: ten years. */
const MOST_KUBECONFIG_HOURS = 87_600;

/**
 * All problems of a cluster's arguments that are known before creation.
 *
 * @param name the cluster's name in the stack, a prefix of its children's names
 */
export function checkTalosCluster(name: string, args: ChosenClusterArgs): PropertyProblem[] {
  const { environment, domain, network, dns = {}, facts } = args;
  const { versionContract, talosVersion, apiHealthCheck: healthCheck } = args;
  const entrance = checkApiLoadBalancer(
    `${name}-api`,
    defined({
      versionContract,
      talosVersion,
      healthCheck,
      talosApi: args.talosApiThroughLoadBalancer,
      idleTimeoutSeconds: args.loadBalancerIdleTimeoutSeconds,
    }),
  );
  const problems = [
    ...entrance.map(({ property, reason }) => ({
      property: ENTRANCE_ARGUMENTS[property] ?? property,
      reason,
    })),
    ...problemAt("environment", dnsLabelProblem(environment)),
    ...problemAt("domain", dnsNameProblem(domain)),
  ];
  if (problems.every(({ property }) => property !== "environment" && property !== "domain")) {
    const choices = {
      ...facts.names,
      adoptsById: dns.zoneId !== undefined,
      createZone: dns.createZone ?? false,
    };
    problems.push(...within("dns", checkDnsRecord(choices)));
    if (dns.privateZone === true && args.exposure !== "internal") {
      const reason = `a private zone resolves only in the network, and exposure "${args.exposure ?? "public"}" has other clients: set exposure "internal", or leave this out`;
      problems.push({ property: "dns.privateZone", reason });
    }
  }
  problems.push(
    ...wholeNumber(
      "kubeconfigLifetimeHours",
      args.kubeconfigLifetimeHours,
      1,
      MOST_KUBECONFIG_HOURS,
    ),
    ...judge("talosVersion", args.talosVersion, talosVersionProblem).problems,
  );
  for (const problem of checkFirewall(facts.firewall, facts.firewallRules)) {
    const isAsked = /^(kubeSpanCidrs|allowWorldToKubeSpan|monitoring|extraRules)/.test(
      problem.property,
    );
    problems.push(...(isAsked ? within("firewall", [problem]) : [problem]));
  }
  problems.push(
    ...checkPodNetwork(args),
    ...checkMetrics(args),
    ...checkWord("addOnDelivery", args.addOnDelivery, ADD_ON_DELIVERIES),
    ...checkAddOns(args.addOns ?? {}, facts.addOnCluster),
    ...checkHelm(args.helm ?? {}, installedCharts(args.addOns ?? {})),
    ...checkMetadataAccess(args),
    ...checkIrsa(args),
    ...checkClusterAccess(args),
    ...checkSecretsEncryption(args),
  );
  const networkProblems = checkNetwork({ ...network, ...facts.ranges });
  for (const problem of networkProblems) {
    const isRange = /^(pod|service)Cidrs/.test(problem.property);
    problems.push(...(isRange ? [problem] : within("network", [problem])));
  }
  problems.push(
    ...(networkProblems.length === 0
      ? [...checkMachineAccess(args), ...checkAdoptedNat(args)]
      : []),
    ...checkIsolation(args),
    ...(problems.length === 0 && networkProblems.length === 0 ? checkQuotas(args) : []),
    ...within("rotation", checkRotation(args.rotation ?? {})),
    ...checkTrustdToken(args),
    ...within("controlPlane", checkClusterControlPlane(args)),
    ...checkMachineConfiguration(args),
    ...checkWorkerPools(name, args),
    ...checkRoleNames(name, args),
    ...(args.firewall?.adopt === undefined ? checkGroupNames(`${name}-firewall`) : []),
  );
  return problems;
}

/** A worker finds one of two tokens only if two machines accept one each. */
function checkTrustdToken({ rotation, facts }: ChosenClusterArgs): PropertyProblem[] {
  const { controlPlanes } = facts.addOnCluster;
  const stage = rotation?.trustdToken?.stage;
  if (controlPlanes > 1 || stage === undefined || stage === "drop") {
    return [];
  }
  const reason = `the trustd token can't be rotated with ${controlPlanes} control plane machine: each accepts one token, so workers that restart with the other one would get no certificate for their Talos API. Set controlPlane.machineCount to 3 first`;
  return [{ property: "rotation.trustdToken", reason }];
}
