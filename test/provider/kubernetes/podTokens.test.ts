import { oldTokens, signedSince, type TokenPod } from "../../../provider/kubernetes/podTokens";

const MINUTE = 60_000;
const SINCE = Date.parse("2026-11-26T12:00:00Z");

function pod(
  name: string,
  createdAt: string,
  expirations: readonly (number | undefined)[],
  phase = "Running",
): TokenPod {
  const sources = expirations.map((seconds) => ({
    serviceAccountToken: seconds === undefined ? {} : { expirationSeconds: seconds },
  }));
  return {
    metadata: { namespace: "default", name, creationTimestamp: createdAt },
    spec: { volumes: [{ projected: { sources } }] },
    status: { phase },
  };
}

const old = "2026-11-26T11:00:00Z";

describe("oldTokens", () => {
  it.each<[string, TokenPod, number | undefined]>([
    ["an hour's token, renewed at 80 %", pod("a", old, [3_607]), 53],
    ["one without a lifetime", pod("a", old, [undefined]), 53],
    ["a day's token, as IRSA asks for", pod("a", old, [3_607, 86_400]), 1_157],
    ["a week's token, renewed after a day", pod("a", old, [604_800]), 1_445],
    ["a pod of the new key", pod("a", "2026-11-26T12:00:00Z", [3_607]), undefined],
    ["a pod without a token", pod("a", old, []), undefined],
    ["a pod that has ended", pod("a", old, [3_607], "Succeeded"), undefined],
  ])("of %s", (_, given, minutes) => {
    const found = oldTokens([given], SINCE, SINCE);
    expect(found.map(({ untilMs }) => Math.round((untilMs - SINCE) / MINUTE))).toEqual(
      minutes === undefined ? [] : [minutes],
    );
    expect(oldTokens([given], SINCE, found[0]?.untilMs ?? SINCE)).toEqual([]);
  });
});

describe("signedSince", () => {
  const server = (startedAt?: string): TokenPod => ({
    ...pod("kube-apiserver", old, []),
    metadata: {
      namespace: "kube-system",
      name: "kube-apiserver-a",
      creationTimestamp: old,
      labels: { "k8s-app": "kube-apiserver" },
    },
    status: {
      containerStatuses: [{ state: startedAt === undefined ? {} : { running: { startedAt } } }],
    },
  });

  it("is the start of the last API server", () => {
    const servers = [server("2026-11-26T11:59:00Z"), server("2026-11-26T12:00:00Z")];
    expect(signedSince([...servers, pod("a", old, [1])])).toBe(SINCE);
  });

  it("is unknown while one of them doesn't run", () => {
    expect(signedSince([server("2026-11-26T11:59:00Z"), server()])).toBeUndefined();
    expect(signedSince([pod("a", old, [1])])).toBeUndefined();
  });
});
