import { judgeAuthorities } from "../../../provider/config/authorityPath";
import { NOT_MADE_YET } from "../../../provider/config/effects/outline";
import { ENCRYPTION_FLAG } from "../../../provider/config/generate/acceptedSecretboxKeys";
import { ACCEPTED_KEYS_FLAG } from "../../../provider/config/generate/acceptedServiceAccountKeys";
import type { ConfigDocument } from "../../../provider/config/machineConfig";

/** The outline of a machine that issues by one and accepts others. */
const machine = (issuing: string, ...accepted: string[]): ConfigDocument => ({
  machine: { ca: { crt: issuing, key: "" }, acceptedCAs: accepted.map((crt) => ({ crt })) },
  cluster: { ca: { crt: "k8s", key: "" } },
});

describe("judgeAuthorities", () => {
  it.each([
    [machine("a"), machine("a", "b"), "another Talos CA is accepted besides the one that issues"],
    [
      machine("a", "b"),
      machine("b", "a"),
      "another Talos CA issues, and the former one is still accepted",
    ],
    [machine("b", "a"), machine("b"), "the Talos CA that was accepted besides is dropped"],
  ])("describes the effect of a stage on a machine", (before, after, note) => {
    expect(judgeAuthorities(before, after)).toEqual({ problems: [], notes: [note] });
  });

  it.each([
    [machine("a"), machine("b", "a"), "doesn't accept the new one yet"],
    [machine("a"), machine("b"), "doesn't accept the new one yet"],
    [machine("a", "b"), machine("b"), "would drop its current one"],
  ])(
    "rejects a change after which a machine and its clients would not trust each other",
    (before, after, why) => {
      const { problems, notes } = judgeAuthorities(before, after);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(why);
      expect(problems[0]).toContain("set rotation.talosCa to that stage");
      expect(notes).toEqual([]);
    },
  );

  it("judges the Kubernetes CA in the same way, and each CA alone", () => {
    const before = { cluster: { ca: { crt: "a" } } };
    const { problems } = judgeAuthorities(before, { cluster: { ca: { crt: "b" } } });
    expect(problems[0]).toContain("rotation.kubernetesCa");
  });

  it("judges the etcd CAs in the same way; they are all in one text", () => {
    const etcd = (crt: string) => ({ cluster: { etcd: { ca: { crt } } } });
    const notesOf = (before: string, after: string) =>
      judgeAuthorities(etcd(before), etcd(after)).notes;
    expect(notesOf("a", "a, b")).toEqual([
      "another etcd CA is accepted besides the one that issues",
    ]);
    expect(notesOf("a", NOT_MADE_YET)).toEqual(notesOf("a", "a, b"));
    expect(notesOf("a, b", "b, a")).toEqual([
      "another etcd CA issues, and the former one is still accepted",
    ]);
    expect(notesOf("b, a", "b")).toEqual(["the etcd CA that was accepted besides is dropped"]);
    const { problems } = judgeAuthorities(etcd("a"), etcd("b, a"));
    expect(problems[0]).toContain("set rotation.etcdCa to that stage");
  });

  it("judges the service account key by the other accepted keys", () => {
    const signing = (key: string, acceptsOthers: boolean): ConfigDocument => ({
      cluster: {
        serviceAccount: { key },
        apiServer: {
          extraArgs: acceptsOthers
            ? { [ACCEPTED_KEYS_FLAG]: "/var/etc/talos-aws/service-account.pub" }
            : {},
        },
      },
    });
    const judge = (before: ConfigDocument, after: ConfigDocument) =>
      judgeAuthorities(before, after);
    expect(judge(signing("a", false), signing("a", true)).notes).toEqual([
      "tokens of another service account key are accepted besides",
    ]);
    expect(judge(signing("a", true), signing("b", true)).notes).toEqual([
      "another service account key signs tokens, and those of the former one are still accepted",
    ]);
    expect(judge(signing("b", true), signing("b", false)).notes).toEqual([
      "tokens of the service account key that was accepted besides are refused",
    ]);
    expect(judge(signing("a", false), signing("b", true)).problems[0]).toContain(
      "doesn't accept the new one yet",
    );
    expect(judge(signing("a", true), signing("b", false)).problems[0]).toContain(
      "would drop its current one",
    );
  });

  it("judges the secretbox key the same way, so that no API server is without a key in use", () => {
    const encrypting = (key: string, file?: string): ConfigDocument => ({
      cluster: {
        secretboxEncryptionSecret: key,
        apiServer: { extraArgs: file === undefined ? {} : { [ENCRYPTION_FLAG]: file } },
      },
    });
    expect(judgeAuthorities(encrypting("a"), encrypting("a", "older")).notes).toEqual([
      "Secrets of another key can be read besides",
    ]);
    expect(judgeAuthorities(encrypting("a", "older"), encrypting("b", "newer")).notes).toEqual([
      "another key encrypts Secrets, and those of the former one can still be read",
    ]);
    expect(judgeAuthorities(encrypting("b", "newer"), encrypting("b")).notes).toEqual([
      "Secrets of the key that was accepted besides can't be read any more",
    ]);
    for (const [before, after, why] of [
      [encrypting("a"), encrypting("b", "newer"), "doesn't accept the new one yet"],
      [encrypting("a", "older"), encrypting("b"), "would drop its current one"],
    ] as const) {
      const { problems } = judgeAuthorities(before, after);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(`${why}, so API servers could not read all Secrets`);
      expect(problems[0]).toContain("set rotation.secretboxKey to that stage");
    }
  });

  describe("in documents of Talos v1.14", () => {
    const documents = (issuing: string, ...acceptedCAs: string[]): ConfigDocument => ({
      KubeAPIServerCAConfig: { issuingCA: { cert: issuing, key: "" }, acceptedCAs },
      KubeAggregatorCAConfig: { issuingCA: { cert: issuing, key: "" }, acceptedCAs },
    });
    const fields = (issuing: string): ConfigDocument => ({
      cluster: { ca: { crt: issuing }, aggregatorCA: { crt: issuing } },
    });
    const encrypting = (...keys: string[]): ConfigDocument => ({
      KubeEtcdEncryptionConfig: {
        config: {
          resources: [
            {
              resources: ["secrets"],
              providers: [
                ...keys.map((secret) => ({ secretbox: { keys: [{ name: "key2", secret }] } })),
                { aescbc: { keys: [{ name: "key1", secret: "older" }] } },
                { identity: {} },
              ],
            },
          ],
        },
      },
    });
    const judge = (before: ConfigDocument, after: ConfigDocument) =>
      judgeAuthorities(before, after);

    it("CAs are judged as in fields, also where one form follows the other", () => {
      for (const before of [fields("a"), documents("a")]) {
        expect(judge(before, documents("a", "b")).notes).toEqual([
          "another Kubernetes CA is accepted besides the one that issues",
          "another aggregator CA is accepted besides the one that issues",
        ]);
        const { problems } = judge(before, documents("b", "a"));
        expect(problems).toHaveLength(2);
        expect(problems[1]).toContain("set rotation.aggregatorCa to that stage");
      }
      expect(judge(documents("a", "b"), documents("b", "a")).problems).toEqual([]);
      expect(judge(documents("b", "a"), fields("b")).problems).toEqual([]);
      expect(judge(documents("a", "b"), fields("b")).problems).toHaveLength(2);
    });

    it("a worker issues nothing, and its first CA is the one that others issue with", () => {
      const worker = (...acceptedCAs: string[]): ConfigDocument => ({
        KubeAPIServerCAConfig: { acceptedCAs },
      });
      expect(judge(worker("a", "b"), worker("b", "a")).problems).toEqual([]);
      expect(judge(worker("a"), worker("b")).problems[0]).toContain("rotation.kubernetesCa");
    });

    it("the keys of Secrets are judged one by one", () => {
      const field = { cluster: { secretboxEncryptionSecret: "a" } };
      expect(judge(field, encrypting("a", "b")).notes).toEqual([
        "Secrets of another key can be read besides",
      ]);
      expect(judge(encrypting("a", "b"), encrypting("b", "a")).notes).toEqual([
        "another key encrypts Secrets, and those of the former one can still be read",
      ]);
      for (const [before, after, why] of [
        [field, encrypting("b", "a"), "doesn't accept the new one yet"],
        [encrypting("a", "c"), encrypting("b", "a"), "doesn't accept the new one yet"],
        [encrypting("a", "b"), encrypting("b", "c"), "would drop its current one"],
        [encrypting("a", "b"), { cluster: { secretboxEncryptionSecret: "b" } }, "would drop"],
      ] as const) {
        expect(judge(before, after).problems.join()).toContain(why);
      }
    });

    it("a key in KMS is judged as another one, by the name that follows from it", () => {
      const by = (...readers: string[]): ConfigDocument => ({
        KubeEtcdEncryptionConfig: {
          config: {
            resources: [
              {
                resources: ["secrets"],
                providers: readers.map((each) =>
                  each.startsWith("aws-")
                    ? { kms: { apiVersion: "v2", name: each } }
                    : { secretbox: { keys: [{ name: "key2", secret: each }] } },
                ),
              },
            ],
          },
        },
      });
      const field = {
        machine: { type: "controlplane" },
        cluster: { secretboxEncryptionSecret: "a" },
      };
      const way = [field, by("a", "aws-1"), by("aws-1", "a"), by("aws-1"), by("aws-1", "b")];
      way.push(by("b", "aws-1"), by("b"), by("b", "aws-2"), by("aws-2", "b"), by("aws-2"));
      way.push(by("aws-2", "aws-3"), by("aws-3", "aws-2"), by("aws-3"));
      way.slice(1).forEach((after, index) => {
        expect(judge(way[index] ?? {}, after).problems).toEqual([]);
        expect(judge(way[index] ?? {}, after).notes).toHaveLength(1);
      });
      for (const [before, after, why] of [
        [field, by("aws-1", "a"), "doesn't accept the new one yet"],
        [by("aws-1"), field, "doesn't accept the new one yet"],
        [by("aws-1", "a"), by("aws-2", "a"), "doesn't accept the new one yet"],
        [by("aws-1", "aws-2"), by("aws-2"), "would drop its current one"],
        [by("aws-1", "a"), field, "would drop its current one"],
        [by("aws-1"), { machine: { type: "controlplane" } }, "would be missing"],
      ] as const) {
        expect(judge(before, after).problems.join()).toContain(why);
      }
    });

    it("a service account key is judged by whether others are accepted", () => {
      const signing = (privateKey: string, ...publicKeys: string[]): ConfigDocument => ({
        KubeServiceAccountConfig: {
          issuer: { privateKey },
          ...(publicKeys.length > 0 && { accepted: { publicKeys } }),
        },
      });
      const field = { cluster: { serviceAccount: { key: "a" } } };
      expect(judge(field, signing("a", "x")).notes).toEqual([
        "tokens of another service account key are accepted besides",
      ]);
      expect(judge(signing("a", "x"), signing("b", "x")).problems).toEqual([]);
      expect(judge(field, signing("b", "x")).problems).toHaveLength(1);
      expect(judge(signing("a", "x"), signing("b")).problems).toHaveLength(1);
    });
  });

  it("says nothing about unknown values", () => {
    expect(judgeAuthorities({}, machine("a"))).toEqual({ problems: [], notes: [] });
    expect(judgeAuthorities(machine("a"), machine("a"))).toEqual({ problems: [], notes: [] });
  });
});
