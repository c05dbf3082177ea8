/**
 * The hashes of the Go modules that tools are built from, as `go.sum` writes them: of the module itself, and of those that its
 * own `go.sum` lacks. Source: Go's public checksum database (sum.golang.org).
 */
export const GO_SUMS: Readonly<Record<string, readonly string[]>> = {
  "github.com/pulumi/pulumi/pkg/v3@v3.230.0": [
    "github.com/pulumi/pulumi/pkg/v3 v3.230.0 h1:SHjHvXskFXG/aSA2/f8ZTzHizX51nBoqzA76WpmYaRo=",
    "github.com/pulumi/pulumi/pkg/v3 v3.230.0/go.mod h1:+PTJHGM/8Z9c85DFr53Q9FQGlfu8U0gvhSoQBsIpAWI=",
    "github.com/pulumi/pulumi/sdk/v3 v3.230.0 h1:0TtF82Hlor39DLU0QtM7RZPwRaOmjn5UtQKPi1Mxo9M=",
    "github.com/pulumi/pulumi/sdk/v3 v3.230.0/go.mod h1:u0fgmmPGwV5b4rmfuNABuYfRoqckuaTivufPn4EtfTk=",
    "github.com/atotto/clipboard v0.1.4 h1:EH0zSVneZPSuFR11BlR9YppQTVDbh5+16AmcJi4g1z4=",
    "github.com/atotto/clipboard v0.1.4/go.mod h1:ZY9tmq7sm5xIbd9bOK4onWV4S6X0u6GY7Vn0Yu86PYI=",
  ],
  "github.com/pulumi/pulumi/pkg/v3@v3.276.0": [
    "github.com/pulumi/pulumi/pkg/v3 v3.276.0 h1:RKovVWNh+H8qnmbv88QZWirM/HmfBqR28rbnRN3n6FA=",
    "github.com/pulumi/pulumi/pkg/v3 v3.276.0/go.mod h1:uM3JWZ2l7UhbY+gFQjGQdkHOBCVsXmvza+TY9fu/CNE=",
    "github.com/pulumi/pulumi/sdk/v3 v3.276.0 h1:xkrmwkmAaHC2wilul4RTcPVrGfA6yQetstZpeQrvRWI=",
    "github.com/pulumi/pulumi/sdk/v3 v3.276.0/go.mod h1:WnPO90tGSd4h5BDTfK4BeDZ/b2Rsq7bhZ2yEcfvScEc=",
    "github.com/atotto/clipboard v0.1.4 h1:EH0zSVneZPSuFR11BlR9YppQTVDbh5+16AmcJi4g1z4=",
    "github.com/atotto/clipboard v0.1.4/go.mod h1:ZY9tmq7sm5xIbd9bOK4onWV4S6X0u6GY7Vn0Yu86PYI=",
  ],
  "github.com/siderolabs/talos@v1.12.1": [
    "github.com/siderolabs/talos v1.12.1 h1:DNLLbG7aKlc0D48A08gSCKOn754Q2LX4NvwTrSexY/k=",
    "github.com/siderolabs/talos v1.12.1/go.mod h1:8ltdWw6w4fruILycZHvL91TlB7D6+P1vc2a0gbNC8sw=",
    "github.com/siderolabs/talos/pkg/machinery v1.12.1 h1:MfAYsfaS4OekMU+fgQeCr/ZMDgr0kWE+iyUbB/CPNmI=",
    "github.com/siderolabs/talos/pkg/machinery v1.12.1/go.mod h1:dNc4lG9yb2CzCwnJbfSUO9ZmkXE6P3BnVo1UsCITr/U=",
    // Of forks that its own go.mod takes in their place.
    "github.com/containerd/containerd/v2 v2.1.5 h1:pWSmPxUszaLZKQPvOx27iD4iH+aM6o0BoN9+hg77cro=",
    "github.com/containerd/containerd/v2 v2.1.5/go.mod h1:8C5QV9djwsYDNhxfTCFjWtTBZrqjditQ4/ghHSYjnHM=",
    "golang.zx2c4.com/wireguard/wgctrl v0.0.0-20241231184526-a9ab2273dd10 h1:3GDAcqdIg1ozBNLgPy4SLT84nfcBjr6rhGtXYtrkWLU=",
    "golang.zx2c4.com/wireguard/wgctrl v0.0.0-20241231184526-a9ab2273dd10/go.mod h1:T97yPqesLiNrOYxkwmhMI0ZIlJDm+p0PMR8eRVeR5tQ=",
  ],
  "github.com/pulumi/pulumi-yaml@v1.32.0": [
    "github.com/pulumi/pulumi-yaml v1.32.0 h1:F0yWc/QX0pVb6tAxvbnN0l1Ds66le4RY71fmu5SMiHc=",
    "github.com/pulumi/pulumi-yaml v1.32.0/go.mod h1:FeClo3ermFxWAKXme8u3KbIgxwe15JQDEX29WrrId8k=",
  ],
};

/**
 * The hashes for a module's release.
 *
 * @throws Error if they aren't pinned
 */
export function goSums(module: string, version: string): readonly string[] {
  const sums = GO_SUMS[`${module}@${version}`];
  if (sums === undefined) {
    throw new Error(
      `the hash of ${module} ${version} isn't pinned: add it to scripts/goSums.ts, as Go's checksum database says it`,
    );
  }
  return sums;
}
