import { minorOfImage } from "../flags/componentTable";
import { proxyModes } from "../flags/componentValues";
import { isMapping } from "../machineConfig";
import type { Path } from "../path";
import { checkAdmissionPlugins } from "./admissionPluginRules";
import { checkResources } from "./clusterRules";
import { checkDeniedPrefixes, type FlaggedProgram } from "./deniedFlags";
import type { DocumentView } from "./documentView";
import { checkEndpoint } from "./endpoint";
import { checkGates } from "./featureGateRules";
import { checkFlagsOf } from "./flagRules";
import { checkCertificate, checkKubernetesImage, checkPrivateKey } from "./imageRules";
import { checkKubeletDocument } from "./kubeletRules";
import { checkPodNetworks } from "./kubernetesNetworkRules";
import { checkApiRoles } from "./machineRules";
import { isObjectName } from "./names";
import { checkNodeMetadata } from "./nodeMetadata";
import { isSubnet, NO_SUBNET } from "./subnets";
import { checkQuantities } from "./unparsedRules";

/**
 * Checks of documents about Kubernetes beyond their schema, by kind. Since v1.14. Source: the
 * Validate methods of pkg/machinery/config/types/k8s, Talos v1.14.1.
 */
export const kubernetesDocumentRules: readonly (readonly [string, (view: DocumentView) => void])[] =
  [
    ["KubeletConfig", checkKubeletDocument],
    ["KubeNodeConfig", checkNode],
    ["KubeClusterConfig", checkClusterDocument],
    ["KubeNetworkConfig", checkPodNetworks],
    ["KubeAPIServerCAConfig", (view) => checkAuthority(view, { optional: true })],
    ["KubeAggregatorCAConfig", (view) => checkAuthority(view, { optional: false })],
    ["KubeServiceAccountConfig", checkServiceAccount],
    ["KubeEtcdEncryptionConfig", (view) => requireContent(view, "config")],
    ["KubeAuthorizerConfig", checkAuthorizer],
    ["KubeAPIServerConfig", checkApiServer],
    ["KubeControllerManagerConfig", (view) => checkComponent(view, "controllerManager")],
    ["KubeSchedulerConfig", (view) => checkComponent(view, "scheduler")],
    ["KubeProxyConfig", checkProxy],
    [
      "KubeFlannelCNIConfig",
      (view) => {
        view.require("the way flannel carries packets, like vxlan", ["backendType"]);
        checkPodResources(view);
      },
    ],
    ["KubePrismConfig", checkPrism],
    ["KubeTalosAPIAccessConfig", (view) => checkApiRoles(view, ["allowedRoles"])],
    ["KubeExternalManifestConfig", checkExternalManifest],
    ["KubeInlineManifestConfig", checkObjectName],
    [
      "KubeStaticPodConfig",
      (view) => {
        checkObjectName(view);
        requireContent(view, "pod");
      },
    ],
  ];

function checkNode(view: DocumentView): void {
  view.checkTexts(["nodeIP", "validSubnets"], isSubnet, NO_SUBNET);
  const sections = [
    ["labels", "nodeLabels"],
    ["annotations", "nodeAnnotations"],
    ["taints", "nodeTaints"],
  ] as const;
  for (const [key, section] of sections) {
    for (const [name, value] of view.entries(key)) {
      for (const problem of checkNodeMetadata(section, name, value)) {
        view.report([key, name], problem);
      }
    }
  }
}

function checkClusterDocument(view: DocumentView): void {
  view.require("the name of the cluster", ["clusterName"]);
  view.require('the URL of the Kubernetes API, like "https://api.example.com:6443"', ["endpoint"]);
  const endpoint = view.text("endpoint");
  view.report(["endpoint"], endpoint === undefined ? undefined : checkEndpoint(endpoint));
}

function checkAuthority(view: DocumentView, { optional }: { readonly optional: boolean }): void {
  if (view.isMapping("issuingCA")) {
    checkCertificate(view, ["issuingCA", "cert"]);
    checkPrivateKey(view, ["issuingCA", "key"]);
  } else if (!optional) {
    view.require("the certificate authority", ["issuingCA"]);
  }
  for (const [path] of view.texts("acceptedCAs")) {
    checkCertificate(view, path);
  }
}

function checkServiceAccount(view: DocumentView): void {
  checkPrivateKey(view, ["issuer", "privateKey"]);
  view.require("the URL of who issues tokens", ["issuer", "issuerURL"]);
}

function checkAuthorizer(view: DocumentView): void {
  view.requireWord(["type"], ["Node", "RBAC", "Webhook"], { optional: false });
  if (view.text("type") === "Webhook") {
    requireContent(view, "webhook");
  }
}

function checkApiServer(view: DocumentView): void {
  view.require("the image of the component", ["image"]);
  checkKubernetesImage(view, ["image"]);
  checkFlagsOf(view, "apiServer", []);
  checkDeniedPrefixes(view);
  checkAdmissionPlugins(view, []);
  checkPodResources(view);
}

function checkComponent(view: DocumentView, program: FlaggedProgram): void {
  if (view.get("enabled") === false) {
    return;
  }
  view.require("the image of the component", ["image"]);
  checkKubernetesImage(view, ["image"]);
  checkFlagsOf(view, program, []);
  checkPodResources(view);
}

function checkProxy(view: DocumentView): void {
  checkComponent(view, "proxy");
  if (view.get("enabled") !== false) {
    view.requireWord(["mode"], proxyModes(minorOfImage(view.text("image"))), { optional: true });
    checkGates(view, ["config", "featureGates"], "proxy", view.text("image"));
  }
}

function checkPodResources(view: DocumentView): void {
  checkResources(view, ["resources"]);
  for (const amount of ["requests", "limits"]) {
    checkQuantities(view, ["resources", amount]);
  }
}

function checkPrism(view: DocumentView): void {
  const port = view.get("port");
  if (typeof port !== "number" || port < 1 || port > 65_535) {
    view.report(["port"], `${view.quote("port")} is not a port: ports are 1 to 65535`);
  }
}

function checkExternalManifest(view: DocumentView): void {
  checkObjectName(view);
  view.requireText(
    ["url"],
    (url) => /^https?:\/\//i.test(url),
    "is not a URL that can be fetched, like https://example.com/manifest.yaml",
  );
}

function checkObjectName(view: DocumentView): void {
  view.requireText(
    ["name"],
    isObjectName,
    'is not a name that Kubernetes takes: small letters, digits, "-" and ".", starting and ending with a letter or digit',
  );
}

/** Reports a free mapping that is missing or empty. */
function requireContent(view: DocumentView, ...path: Path): void {
  const value = view.get(...path);
  if (!isMapping(value) || Object.keys(value).length === 0) {
    view.report(path, "is required");
  }
}
