import {
  architectureOf,
  controlPlaneTypeProblem,
  workerTypeProblem,
} from "../../../components/machines/instanceType";

describe("architectureOf", () => {
  it.each(["t4g.medium", "m6g.large", "m7gd.xlarge", "c6gn.large", "im4gn.large", "is4gen.medium"])(
    "knows %s as Graviton",
    (type) => {
      expect(architectureOf(type)).toBe("arm64");
    },
  );

  it.each(["a1.large", "x2gd.medium", "g5g.xlarge", "hpc7g.4xlarge", "r8g.metal-24xl"])(
    "knows %s as Graviton too",
    (type) => {
      expect(architectureOf(type)).toBe("arm64");
    },
  );

  it.each(["t3.medium", "m6i.large", "m7i-flex.large", "g4dn.xlarge", "g6e.xlarge", "c5n.large"])(
    "knows %s as x86",
    (type) => {
      expect(architectureOf(type)).toBe("amd64");
    },
  );
});

describe("controlPlaneTypeProblem", () => {
  it.each(["t3.medium", "t4g.small", "m6i.large", "m7i-flex.large", "c5n.large", "i3.metal"])(
    "accepts %s",
    (type) => {
      expect(controlPlaneTypeProblem(type)).toBeUndefined();
    },
  );

  it.each([
    ["t2.medium", /older than AWS Nitro/],
    ["m4.large", /older than AWS Nitro/],
    ["i3.large", /older than AWS Nitro/],
    ["t3.micro", /too little memory/],
    ["medium", /no instance type/],
    ["t3", /no instance type/],
    ["", /no instance type/],
  ])("rejects %p", (type, reason) => {
    expect(controlPlaneTypeProblem(type)).toMatch(reason);
  });
});

describe("workerTypeProblem", () => {
  it.each(["t3.micro", "t4g.medium", "m6i.large"])("accepts %s", (type) => {
    expect(workerTypeProblem(type)).toBeUndefined();
  });

  it.each([
    ["t3.nano", /a worker needs 1 GiB/],
    ["t2.medium", /older than AWS Nitro/],
    ["large", /no instance type/],
  ])("rejects %p", (type, reason) => {
    expect(workerTypeProblem(type)).toMatch(reason);
  });
});
