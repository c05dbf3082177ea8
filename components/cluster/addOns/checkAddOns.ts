import { checkNodePermissions } from "../../permissions/planNodePolicy";
import { type PropertyProblem, within } from "../../problems";
import type {
  AddOnManifest,
  ClusterAddOnsArgs,
  EbsCsiAddOn,
  PinnedAddOn,
} from "../arguments/clusterAddOnsArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { checkEtcdBackup } from "./checkEtcdBackup";

/** How to render what its makers publish as a chart. */
const CHARTS = {
  cloudController:
    "helm template aws-cloud-controller-manager aws-cloud-controller-manager --repo https://kubernetes.github.io/cloud-provider-aws --namespace kube-system --set hostNetworking=true",
  ebsCsi:
    "helm template aws-ebs-csi-driver aws-ebs-csi-driver --repo https://kubernetes-sigs.github.io/aws-ebs-csi-driver --namespace kube-system",
  cilium:
    "helm template cilium cilium --repo https://helm.cilium.io --namespace kube-system, with the values in Talos' guide for Cilium",
} as const;

/** What leads to whatever is newest on the day a machine fetches it. */
const MOVING =
  /^https:\/\/(raw\.githubusercontent\.com\/[^/]+\/[^/]+\/(refs\/heads\/|(main|master|HEAD)\/)|github\.com\/[^/]+\/[^/]+\/(releases\/latest|raw\/(main|master|HEAD))\/)/;

/** All that is wrong with a cluster's add-ons, by themselves and beside its other arguments. */
export function checkAddOns(args: TalosClusterArgs): PropertyProblem[] {
  const { addOns = {}, controlPlane = {}, machineConfiguration = {} } = args;
  const { cloudController, ebsCsi, cilium, etcdBackup } = addOns;
  const { servingCertificateApprover, metricsServer } = addOns;
  const problems = [
    ...checkManifest("cloudController", cloudController),
    ...checkManifest("ebsCsi", ebsCsi),
    ...checkManifest("cilium", cilium),
    ...checkPinned("servingCertificateApprover", servingCertificateApprover),
    ...checkPinned("metricsServer", metricsServer),
    ...checkKeys(ebsCsi),
    ...(etcdBackup === undefined ? [] : checkEtcdBackup(args, etcdBackup)),
  ];
  const clash = (property: keyof ClusterAddOnsArgs, isClash: boolean, reason: string) => {
    if (addOns[property] !== undefined && isClash) {
      problems.push({ property, reason });
    }
  };
  const { cni, cniManifests } = args;
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
  clash("cloudController", isPowerless, powerless);
  const roles = rolesOfWorkers(args);
  clash(
    "ebsCsi",
    roles.length > 0 && roles.every((role) => role?.none === true),
    "it calls AWS, which no worker can whose role is none: give a pool a role",
  );
  return within("addOns", problems);
}

/** The roles of pools, by which machines with workloads call AWS. */
function rolesOfWorkers({ workers = {}, workerPools = {} }: TalosClusterArgs) {
  return Object.values(workerPools).map(({ role }) => role ?? workers.role);
}

function checkManifest(
  property: keyof typeof CHARTS,
  addOn: AddOnManifest | undefined,
): PropertyProblem[] {
  if (addOn === undefined) {
    return [];
  }
  const { manifestUrls, manifest } = addOn;
  if (manifest !== undefined && manifestUrls !== undefined) {
    const reason = "it excludes manifestUrls: leave out one or the other";
    return [{ property: `${property}.manifest`, reason }];
  }
  if (manifest === undefined && (manifestUrls === undefined || manifestUrls.length === 0)) {
    const reason = `its makers publish a Helm chart and no manifest that Talos could apply: give the text that "${CHARTS[property]}" writes as manifest, or manifestUrls of where you publish it`;
    return [{ property, reason }];
  }
  return checkUrls(property, manifestUrls);
}

function checkPinned(
  property: keyof ClusterAddOnsArgs,
  addOn: boolean | PinnedAddOn | undefined,
): PropertyProblem[] {
  if (addOn === undefined || typeof addOn === "boolean") {
    return [];
  }
  const { version, manifestUrls } = addOn;
  const problems = checkUrls(property, manifestUrls);
  if (manifestUrls?.length === 0) {
    const reason = "no URL is given: name one, or leave this out";
    problems.push({ property: `${property}.manifestUrls`, reason });
  }
  if (version !== undefined && manifestUrls !== undefined) {
    const reason = "it excludes manifestUrls: leave out one or the other";
    problems.push({ property: `${property}.version`, reason });
  }
  if (version !== undefined && !/^v\d+\.\d+\.\d+$/.test(version)) {
    const reason = `"${version}" is no release: write it in full, as in "v1.2.3"`;
    problems.push({ property: `${property}.version`, reason });
  }
  return problems;
}

function checkUrls(property: string, urls: readonly string[] = []): PropertyProblem[] {
  return urls.flatMap((url, index) => {
    const reason = urlProblem(url);
    return reason === undefined ? [] : [{ property: `${property}.manifestUrls[${index}]`, reason }];
  });
}

function urlProblem(url: string): string | undefined {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    return `"${withoutCredentials(url)}" is no URL with https, as in "https://example.com/v1.2.3/manifest.yaml": what is fetched gets every right in the cluster`;
  }
  if (new URL(url).username !== "") {
    return `"${withoutCredentials(url)}" has credentials in it, which every machine would keep in clear: publish the manifest where it needs none`;
  }
  return MOVING.test(url)
    ? `"${url}" leads to whatever is newest when a machine fetches it: name a version`
    : undefined;
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//…@");
}

function checkKeys(ebsCsi: EbsCsiAddOn | undefined): PropertyProblem[] {
  const { kmsKeyArns } = ebsCsi ?? {};
  if (kmsKeyArns === undefined) {
    return [];
  }
  return checkNodePermissions({ ebsCsi: true, ebsCsiKmsKeyArns: kmsKeyArns }).map(
    ({ property, reason }) => ({
      property: property.replace("ebsCsiKmsKeyArns", "ebsCsi.kmsKeyArns"),
      reason,
    }),
  );
}
