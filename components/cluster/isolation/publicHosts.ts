/** Hosts on the internet that registries, manifests and Talos' services are usually fetched from. */
const PUBLIC_HOSTS = [
  "cilium.io",
  "discovery.talos.dev",
  "docker.io",
  "docker.com",
  "factory.talos.dev",
  "gcr.io",
  "ghcr.io",
  "github.com",
  "github.io",
  "githubusercontent.com",
  "gitlab.com",
  "k8s.io",
  "pkg.dev",
  "projectcalico.org",
  "public.ecr.aws",
  "quay.io",
];

const PUBLIC_TIME_SERVERS = [
  "ntp.org",
  "nist.gov",
  "time.apple.com",
  "time.aws.com",
  "time.cloudflare.com",
  "time.google.com",
  "time.windows.com",
];

/** Whether a URL is known to lead to the internet. Other names may be private ones. */
export function isPublicHost(url: string): boolean {
  return URL.canParse(url) && isBelow(new URL(url).hostname, PUBLIC_HOSTS);
}

/** Whether a time server is known to be on the internet. */
export function isPublicTimeServer(server: string): boolean {
  return isBelow(server, PUBLIC_TIME_SERVERS);
}

function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
