import { parseAllDocuments } from "yaml";
import { clusterBackup } from "../../../components/addOns/etcdBackup/clusterBackup";
import type { EtcdBackupAddOn } from "../../../components/addOns/etcdBackup/etcdBackupAddOn";
import { planEtcdBackupManifest } from "../../../components/addOns/etcdBackup/planEtcdBackupManifest";

const KEY = "age1khpnnl86pzx96ttyjmldptsl5yn2v9jgmmzcjcufvk00ttkph9zs0ytgec";

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

interface Pod {
  readonly containers: readonly [Container];
}

function objectsOf(addOn: EtcdBackupAddOn) {
  const names = { environment: "prod", domain: "example.com", recordName: "k8s.prod.example.com" };
  const backup = clusterBackup(names, addOn);
  return parseAllDocuments(planEtcdBackupManifest(backup, "eu-central-1")).map(
    (document) => document.toJS() as Record<string, unknown>,
  );
}

function containerOf(addOn: EtcdBackupAddOn): Container {
  const { spec } = objectsOf(addOn)[2] as {
    spec: { jobTemplate: { spec: { template: { spec: Pod } } } };
  };
  return spec.jobTemplate.spec.template.spec.containers[0];
}

const environmentOf = (addOn: EtcdBackupAddOn) =>
  Object.fromEntries(containerOf(addOn).env.map(({ name, value }) => [name, value]));

describe("planEtcdBackupManifest", () => {
  it("is a namespace, a service account of Talos' and a CronJob, and nothing else", () => {
    expect(objectsOf({ agePublicKey: KEY })).toMatchSnapshot();
  });

  it("encrypts to the key, in both variables of the pinned release, or not at all", () => {
    expect(environmentOf({ agePublicKey: KEY })).toEqual({
      HOME: "/tmp",
      TALOSCONFIG: "/var/run/secrets/talos.dev/config",
      AWS_REGION: "eu-central-1",
      BUCKET: "prod-example-com-etcd",
      CLUSTER_NAME: "k8s.prod.example.com",
      S3_PREFIX: "k8s.prod.example.com",
      AGE_X25519_PUBLIC_KEY: KEY,
      AGE_RECIPIENT_PUBLIC_KEY: KEY,
    });
    const open = environmentOf({ agePublicKey: "none" });
    expect(open.DISABLE_ENCRYPTION).toBe("true");
    expect(Object.keys(open).filter((name) => name.startsWith("AGE"))).toEqual([]);
  });

  it("goes by what is given", () => {
    const given = { agePublicKey: "none", bucketName: "backups", schedule: "@hourly" };
    const image = `example.com/talos-backup@sha256:${"0".repeat(64)}`;
    expect(environmentOf(given).BUCKET).toBe("backups");
    expect(containerOf({ ...given, image }).image).toBe(image);
    expect(objectsOf(given)[2]).toMatchObject({ spec: { schedule: "@hourly" } });
  });
});
