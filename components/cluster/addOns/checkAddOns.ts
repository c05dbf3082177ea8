import { quoteUrl } from "../../../provider/config/quote";
import { checkWord } from "../../argumentChecks";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { checkNodePermissions, checkZoneIds } from "../../permissions/planNodePolicy";
import { type PropertyProblem, within } from "../../problems";
import type {
  AddOnManifest,
  CiliumAddOn,
  ClusterAddOnsArgs,
  EbsCsiAddOn,
  ExternalDnsAddOn,
  PinnedAddOn,
} from "../arguments/clusterAddOnsArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterIrsa } from "../clusterIrsa";
import { AWS_ADD_ONS, type AddOnChoices, addOnChoices, isOwn } from "./addOnChoices";
import { checkAddOnPods, RUN_ONCE } from "./checkAddOnPods";
import { checkAuditLog } from "./checkAuditLog";
import { checkCloudController } from "./checkCloudController";
import { checkEtcdBackup } from "./checkEtcdBackup";
import { hasCloudController } from "./hasCloudController";

/** URLs whose content changes with each new release. */
const MOVING =
  /^https:\/\/(raw\.githubusercontent\.com\/[^/]+\/[^/]+\/(refs\/heads\/|(main|master|HEAD)\/)|github\.com\/[^/]+\/[^/]+\/(releases\/latest|raw\/(main|master|HEAD))\/)/;

const EXTERNAL_DNS_POLICIES = ["upsert-only", "sync"];
const EXTERNAL_DNS_SOURCES = ["service", "ingress"];

/** Add-ons that find machines by `spec.providerID` of their nodes, and why they need it. */
const KNOWS_NODES_BY_ID = {
  clusterAutoscaler:
    "it knows nodes by their spec.providerID, and ends every machine after 15 minutes whose node has none",
  loadBalancerController:
    "it knows nodes by their spec.providerID, and load balancers get no machine whose node has none",
} as const;

/** All problems of a cluster's add-ons, by themselves and together with its other arguments. */
export function checkAddOns(args: TalosClusterArgs): PropertyProblem[] {
  const { addOns = {}, controlPlane = {} } = args;
  const choices = addOnChoices(addOns);
  const { ebsCsi, externalDns, auditLog, cilium } = choices;
  const { servingCertificateApprover, metricsServer } = choices;
  const machines = controlPlane.machineCount ?? DEFAULT_MACHINE_COUNT;
  const most = typeof machines === "number" ? machines : DEFAULT_MACHINE_COUNT;
  const problems = [
    ...AWS_ADD_ONS.flatMap((name) => [
      ...checkManifest(name, choices[name]),
      ...checkAddOnPods(name, choices[name], RUN_ONCE.includes(name) ? undefined : most),
    ]),
    ...checkManifest("nodeTerminationHandler", choices.nodeTerminationHandler),
    ...checkAddOnPods("nodeTerminationHandler", choices.nodeTerminationHandler, undefined),
    ...checkCloudController(choices.cloudController),
    ...checkCilium(cilium),
    ...checkPinned("servingCertificateApprover", servingCertificateApprover),
    ...checkPinned("metricsServer", metricsServer),
    ...checkEbsCsi(ebsCsi),
    ...checkExternalDns(externalDns),
    ...within("auditLog", checkAuditLog(auditLog)),
    ...(addOns.etcdBackup === undefined ? [] : checkEtcdBackup(args, addOns.etcdBackup)),
    ...checkTogether(args, choices),
  ];
  return within("addOns", problems);
}

function checkExternalDns(externalDns: Partial<ExternalDnsAddOn> | undefined): PropertyProblem[] {
  if (externalDns === undefined) {
    return [];
  }
  const { zoneIds = [], policy, sources } = externalDns;
  return within("externalDns", [
    ...checkZoneIds("zoneIds", zoneIds),
    ...(zoneIds.length === 0
      ? [{ property: "zoneIds", reason: "no zone is named: name one, or leave this out" }]
      : []),
    ...checkWord("policy", policy, EXTERNAL_DNS_POLICIES),
    ...(sources?.length === 0
      ? [{ property: "sources", reason: "no kind is named: name one, or leave this out" }]
      : []),
    ...(sources ?? []).flatMap((source, index) =>
      checkWord(`sources[${index}]`, source, EXTERNAL_DNS_SOURCES),
    ),
  ]);
}

/** Problems of add-ons that contradict each other or the cluster's other arguments. */
function checkTogether(args: TalosClusterArgs, choices: AddOnChoices): PropertyProblem[] {
  const { controlPlane = {}, machineConfiguration = {}, cni, cniManifests } = args;
  const problems: PropertyProblem[] = [];
  const clash = (property: keyof AddOnChoices, isClash: boolean, reason: string) => {
    if (choices[property] !== undefined && isClash) {
      problems.push({ property, reason });
    }
  };
  clash(
    "cilium",
    cni !== undefined && cni !== "cilium",
    `pods have one network: leave out cni, "${cni ?? ""}" here, or this`,
  );
  clash(
    "cilium",
    cniManifests !== undefined,
    "it excludes cniManifests: leave out one or the other",
  );
  clash(
    "cloudController",
    machineConfiguration.externalCloudProvider !== undefined,
    "it excludes machineConfiguration.externalCloudProvider: leave out one or the other",
  );
  const isPowerless = controlPlane.role?.none === true;
  const powerless = `it calls AWS, which no machine can with controlPlane.role.none: leave that out`;
  for (const name of AWS_ADD_ONS) {
    const ours = isOwn(choices[name] ?? {});
    // With a manifest of the user's, the driver runs on workers. An add-on with a role of its own
    // needs no machine's role.
    const needsRole = ours ? clusterIrsa(args) === undefined : name !== "ebsCsi";
    clash(name, isPowerless && needsRole, powerless);
  }
  const pools = Object.values(args.workerPools ?? {});
  clash(
    "nodeTerminationHandler",
    pools.length === 0,
    "it drains workers, and the cluster has none: add a pool in workerPools, or leave this out",
  );
  const roles = rolesOfWorkers(args);
  clash(
    "ebsCsi",
    choices.ebsCsi !== undefined &&
      !isOwn(choices.ebsCsi) &&
      roles.length > 0 &&
      roles.every((role) => role?.none === true),
    "it calls AWS, which no worker can whose role is none: give a pool a role, or leave the manifest out",
  );
  const isThere =
    machineConfiguration.externalCloudProvider !== undefined ||
    [{}, ...pools].some((pool) => hasCloudController(args, pool));
  for (const [name, reason] of Object.entries(KNOWS_NODES_BY_ID)) {
    clash(
      name as keyof typeof KNOWS_NODES_BY_ID,
      !isThere,
      `${reason}; the AWS cloud controller sets it: add addOns.cloudController, or workers.machineConfiguration.externalCloudProvider where it comes by other means, or leave this out`,
    );
  }
  return problems;
}

/** The roles of pools whose machines run workloads. */
function rolesOfWorkers({ workers = {}, workerPools = {} }: TalosClusterArgs) {
  return Object.values(workerPools).map(({ role }) => role ?? workers.role);
}

function checkManifest(property: string, addOn: AddOnManifest | undefined): PropertyProblem[] {
  if (addOn === undefined) {
    return [];
  }
  const { manifestUrls, manifest } = addOn;
  if (manifest !== undefined && manifestUrls !== undefined) {
    const reason = "it excludes manifestUrls: leave out one or the other";
    return [{ property: `${property}.manifest`, reason }];
  }
  if (manifestUrls?.length === 0) {
    const reason = "no URL is given: name one, or leave this out";
    return [{ property: `${property}.manifestUrls`, reason }];
  }
  return checkUrls(property, manifestUrls);
}

/**
 * The command that renders Cilium's manifest for Talos and these settings (Talos' guide "Deploy
 * Cilium CNI").
 */
function ciliumCommand({ kubeProxyReplacement = false }: CiliumAddOn): string {
  const agent =
    "{CHOWN,KILL,NET_ADMIN,NET_RAW,IPC_LOCK,SYS_ADMIN,SYS_RESOURCE,DAC_OVERRIDE,FOWNER,SETGID,SETUID}";
  const values = [
    "ipam.mode=kubernetes",
    `kubeProxyReplacement=${kubeProxyReplacement}`,
    ...(kubeProxyReplacement ? ["k8sServiceHost=localhost", "k8sServicePort=7445"] : []),
    `securityContext.capabilities.ciliumAgent="${agent}"`,
    'securityContext.capabilities.cleanCiliumState="{NET_ADMIN,SYS_ADMIN,SYS_RESOURCE}"',
    "cgroup.autoMount.enabled=false",
    "cgroup.hostRoot=/sys/fs/cgroup",
  ].map((value) => `--set ${value}`);
  return `helm template cilium cilium --repo https://helm.cilium.io --version <release> --namespace kube-system ${values.join(" ")} > cilium.yaml`;
}

function checkCilium(addOn: CiliumAddOn | undefined): PropertyProblem[] {
  if (addOn === undefined || !isOwn(addOn)) {
    return checkManifest("cilium", addOn);
  }
  const reason = `its makers publish a Helm chart and no manifest that Talos could apply: give the text that this writes as manifest, or manifestUrls of where you publish it: ${ciliumCommand(addOn)}`;
  return [{ property: "cilium", reason }];
}

function checkPinned(
  property: keyof ClusterAddOnsArgs,
  addOn: PinnedAddOn | undefined,
): PropertyProblem[] {
  if (addOn === undefined) {
    return [];
  }
  const { manifestUrls } = addOn;
  const problems = checkUrls(property, manifestUrls);
  if (manifestUrls?.length === 0) {
    const reason = "no URL is given: name one, or leave this out";
    problems.push({ property: `${property}.manifestUrls`, reason });
  }
  return [...problems, ...checkAddOnPods(property, addOn, undefined)];
}

function checkUrls(property: string, urls: readonly string[] = []): PropertyProblem[] {
  return urls.flatMap((url, index) => {
    const reason = urlProblem(url);
    return reason === undefined ? [] : [{ property: `${property}.manifestUrls[${index}]`, reason }];
  });
}

function urlProblem(url: string): string | undefined {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    return `${quoteUrl(url)} is no URL with https, as in "https://example.com/v1.2.3/manifest.yaml": what is fetched gets every right in the cluster`;
  }
  if (new URL(url).username !== "") {
    return `${quoteUrl(url)} has credentials in it, which every machine would keep in clear: publish the manifest where it needs none`;
  }
  return MOVING.test(url)
    ? `${quoteUrl(url)} leads to whatever is newest when a machine fetches it: name a version`
    : undefined;
}

function checkEbsCsi(ebsCsi: EbsCsiAddOn | undefined): PropertyProblem[] {
  const { kmsKeyArns, hostNetwork } = ebsCsi ?? {};
  const keys =
    kmsKeyArns === undefined
      ? []
      : checkNodePermissions({ ebsCsi: true, ebsCsiKmsKeyArns: kmsKeyArns });
  const reason =
    "it says how a manifest of yours is, and this package's own controller is in its machine's network always: leave it out";
  return [
    ...keys.map((problem) => ({
      ...problem,
      property: problem.property.replace("ebsCsiKmsKeyArns", "ebsCsi.kmsKeyArns"),
    })),
    ...(ebsCsi !== undefined && isOwn(ebsCsi) && hostNetwork !== undefined
      ? [{ property: "ebsCsi.hostNetwork", reason }]
      : []),
  ];
}
