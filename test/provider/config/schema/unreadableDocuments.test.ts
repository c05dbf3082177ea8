import { unreadableDocuments } from "../../../../provider/config/schema/unreadableDocuments";

describe("an older Talos", () => {
  const outline = { machine: {}, HostnameConfig: {}, "UserVolumeConfig/data": {} };

  it("may come if it reads all documents of the machine", () => {
    expect(unreadableDocuments(outline, "v1.13.9")).toBeUndefined();
    expect(unreadableDocuments({ ...outline, KubeServiceAccountConfig: {} }, "v1.14.0")).toBe(
      undefined,
    );
    expect(unreadableDocuments({ ...outline, Later: {} }, "v1.99.0")).toBeUndefined();
  });

  it("may not come in the middle of a rotation whose documents it can't read", () => {
    const running = { ...outline, KubeServiceAccountConfig: {}, KubeEtcdEncryptionConfig: {} };
    expect(unreadableDocuments(running, "v1.13.9")).toBe(
      "Talos v1.13.9 can't read KubeServiceAccountConfig, KubeEtcdEncryptionConfig in the machine's configuration, and would not start with it: keep the newer talosVersion, complete the rotation (rotation.serviceAccountKey, rotation.secretboxKey) up to the stage \"drop\", or take it back, and set the older release after that",
    );
  });

  it("may not come while the contract writes documents that it can't read", () => {
    const running = { ...outline, KubeClusterConfig: {}, KubeEtcdEncryptionConfig: {} };
    expect(unreadableDocuments(running, "v1.13.9")).toBe(
      "Talos v1.13.9 can't read the documents of version contract \"v1.14\" in the machine's configuration, and would not start with it: keep the newer talosVersion. A cluster with contractDefaults can set versionContract back to that, and the older release in an update after it",
    );
  });

  it("may not come with other documents that it can't read", () => {
    expect(unreadableDocuments({ "SysctlConfig/a": {} }, "v1.13.9")).toContain(
      "can't read SysctlConfig/a in the machine's configuration, and would not start with it: keep the newer talosVersion, take them out of the configuration",
    );
  });
});
