import { factsOn, factsSinceBoot } from "../../../../emulator/talos/config/filesOfBoot";
import { isClusterConfig, parseConfig } from "../../../../emulator/talos/config/loadConfig";

const RELEASE = "v1.14.1";

/** A configuration whose API server reads the keys of service accounts in a file. */
function configured(file: string | undefined) {
  const files =
    file === undefined
      ? ""
      : `  files: [{path: /var/etc/keys, permissions: 0o644, op: create, content: "${file}"}]\n`;
  const config = parseConfig(
    `version: v1alpha1\nmachine:\n  type: controlplane\n${files}cluster:\n  apiServer:\n    extraArgs: {service_account_key_file: /var/etc/keys}\n    extraVolumes: [{hostPath: /var/etc, mountPath: /var/etc}]\n`,
  );
  if (!isClusterConfig(config)) {
    throw new Error("it is no configuration of a cluster");
  }
  return config;
}

describe("the facts of a configuration since a boot with another one", () => {
  const readBy = ({ controlPlane }: ReturnType<typeof factsSinceBoot>) =>
    controlPlane.apiServer.fileFault;

  it("have no file that only the next boot writes", () => {
    expect(readBy(configured("key").facts)).toBeUndefined();
    expect(readBy(factsSinceBoot(configured("key"), configured(undefined), RELEASE))).toBe(
      "open /var/etc/keys: no such file or directory",
    );
  });

  it("have a file that the next boot leaves out", () => {
    expect(
      readBy(factsSinceBoot(configured(undefined), configured("key"), RELEASE)),
    ).toBeUndefined();
  });

  it("are its own where no file changes", () => {
    const config = configured("key");
    expect(factsSinceBoot(config, configured("key"), RELEASE)).toBe(factsOn(config, RELEASE));
  });
});
