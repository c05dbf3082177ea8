import { isIP } from "node:net";
import type { DocumentView } from "./documentView";
import { isDnsName } from "./names";

/** The problem of the URL of a Kubernetes API; undefined if it is valid. */
export function checkEndpoint(endpoint: string): string | undefined {
  const quoted = JSON.stringify(endpoint);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(endpoint)?.[1];
  if (scheme === undefined) {
    return `${quoted} has no scheme: write it like ${suggestion(endpoint)}`;
  }
  if (scheme.toLowerCase() !== "https") {
    return `${quoted} has to start with "https://": the Kubernetes API is served over TLS only; write it like ${suggestion(endpoint.slice(scheme.length + 3))}`;
  }
  const authority = /^[^/?#]*/.exec(endpoint.slice("https://".length))?.[0] ?? "";
  if (authority.includes("@")) {
    return "has a user name or password in it: leave them out";
  }
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(authority);
  if (match === null || match[3]?.includes(":") === true) {
    return `${quoted} has an IPv6 address without brackets: write it like "https://[fd00::1]:6443"`;
  }
  const [, address, name = "", port] = match;
  if (address === undefined ? name === "" : isIP(address) !== 6) {
    return `${quoted} names no host: write it like "https://api.example.com:6443"`;
  }
  if (address === undefined && isIP(name) === 0 && !isHostName(name)) {
    return `${quoted} has a host that is neither a DNS name nor an IP address: ${JSON.stringify(name)}`;
  }
  if (
    port !== undefined &&
    !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65535)
  ) {
    return `${quoted} has a port that is not a number from 1 to 65535: ${JSON.stringify(port)}`;
  }
  const rest = endpoint.slice("https://".length + authority.length);
  return rest === "" || rest === "/"
    ? undefined
    : `${quoted} has something after host and port: leave out ${JSON.stringify(rest)}`;
}

/** Checks the endpoint in `cluster.controlPlane`. */
export function checkControlPlaneEndpoint(view: DocumentView): void {
  const path = ["cluster", "controlPlane", "endpoint"];
  // Since v1.14, the endpoint can be in a document of its own: see `wholeConfigProblems`.
  if (view.talosMinor < 14 || view.isMapping("cluster", "controlPlane")) {
    view.require('the URL of the Kubernetes API, like "https://api.example.com:6443"', path);
  } else if (view.isMapping("cluster", "serviceAccount")) {
    view.report(
      ["cluster", "serviceAccount"],
      "needs cluster.controlPlane.endpoint: where the document KubeClusterConfig has the endpoint, use KubeServiceAccountConfig",
    );
  }
  const endpoint = view.text(...path);
  view.report(path, endpoint === undefined ? undefined : checkEndpoint(endpoint));
}

/** A name of only digits and dots would be a mistyped address. */
function isHostName(name: string): boolean {
  return isDnsName(name) && !/^[\d.]+$/.test(name);
}

function suggestion(rest: string): string {
  const host = /^[\w.-]+(?::\d+)?$/.test(rest) ? rest : "api.example.com";
  return `"https://${host.includes(":") ? host : `${host}:6443`}"`;
}
