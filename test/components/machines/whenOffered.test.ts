import * as pulumi from "@pulumi/pulumi";
import {
  findOfferingProblems,
  type Offerings,
  whenOffered,
} from "../../../components/machines/whenOffered";
import { build, valueOf } from "../mockedGraph";

const GET = "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings";

const property = "controlPlane.instanceType";

describe("the zones of instance types", () => {
  const offers = (type: string, ...locations: string[]): Offerings => ({
    region: "us-east-1",
    instanceTypes: locations.map(() => type),
    locations,
  });
  const problems = (zones: string[], ...locations: string[]) =>
    findOfferingProblems(
      { types: [{ property, instanceType: "m7g.large" }], zones },
      () => Promise.resolve(offers("m7g.large", ...locations)),
      () => undefined,
    );

  it("are named if a type isn't offered there", async () => {
    const zones = ["us-east-1a", "us-east-1e"];
    expect(await problems(zones, "us-east-1a", "us-east-1e")).toEqual([]);
    expect(await problems(zones, "us-east-1b", "us-east-1a")).toEqual([
      {
        property,
        reason: `EC2 has no "m7g.large" in us-east-1e, but in us-east-1a, us-east-1b: take other zones, or another instance type`,
      },
    ]);
    // Zones by number are chosen when the network is made.
    expect(await problems(["1", "2"], "us-east-1a")).toEqual([]);
    // The network refuses zones of another region.
    expect(await problems(["eu-central-1a"], "us-east-1a")).toEqual([]);
  });

  it("cause no error if the account may not ask for offerings", async () => {
    const warnings: string[] = [];
    const refusal = () => Promise.reject(new Error("UnauthorizedOperation"));
    const query = { types: [{ property, instanceType: "m7g.large" }], zones: ["us-east-1a"] };
    const found = await findOfferingProblems(query, refusal, (line) => warnings.push(line));
    expect(found).toEqual([]);
    expect(warnings).toEqual([
      "can't ask in which zones there is m7g.large: UnauthorizedOperation",
    ]);
  });

  it("are looked up in a preview, too", async () => {
    const asked: unknown[] = [];
    const query = { types: [{ property, instanceType: "m7g.large" }], zones: ["us-east-1a"] };
    const { value } = await build(
      () => {
        const parent = new pulumi.ComponentResource("test:index:Parent", "parent");
        return valueOf(whenOffered(pulumi.output("ami-1"), query, { parent }));
      },
      {
        calls: {
          [GET]: (inputs) => {
            asked.push(inputs);
            return { ...offers("m7g.large", "us-east-1a") };
          },
        },
        preview: true,
      },
    );
    expect(value).toBe("ami-1");
    expect(asked).toEqual([
      {
        locationType: "availability-zone",
        filters: [{ name: "instance-type", values: ["m7g.large"] }],
      },
    ]);
  });
});

describe("instance types that a region doesn't have", () => {
  const known = ["c5.large", "m6i.large", "m7g.large", "t2.large", "t3.large", "t4g.large"];
  const reasonsFor = async (types: readonly string[], zones = ["us-east-1a"], all = known) => {
    const named = types.map((instanceType, index) => ({
      property: `types[${index}]`,
      instanceType,
    }));
    const warnings: string[] = [];
    const found = await findOfferingProblems(
      { types: named, zones },
      (asked = all) => {
        const instanceTypes = asked.filter((type) => all.includes(type));
        const locations = instanceTypes.map(() => "us-east-1a");
        return Promise.resolve({ region: "us-east-1", instanceTypes, locations });
      },
      (line) => warnings.push(line),
    );
    return [...found.map((each) => `${each.property}: ${each.reason}`), ...warnings];
  };

  it("are refused with the most similar one that boots Talos", async () => {
    expect(await reasonsFor(["t3.lareg"])).toEqual([
      `types[0]: EC2 has no instance type "t3.lareg" in us-east-1: did you mean "t3.large"?`,
    ]);
    expect(await reasonsFor(["m7g.lagre"])).toEqual([expect.stringContaining(`"m7g.large"?`)]);
    // T2 is as near as T3, and can't boot Talos.
    expect(await reasonsFor(["t1.large"])).toEqual([expect.stringContaining(`"t3.large"?`)]);
  });

  it("are refused without a suggestion if none is similar", async () => {
    expect(await reasonsFor(["x99z.42xlarge"])).toEqual([
      `types[0]: EC2 has no instance type "x99z.42xlarge" in us-east-1: take one that "aws ec2 describe-instance-type-offerings --region us-east-1" lists`,
    ]);
  });

  it("are all named, also beside types that exist, and for numbered zones", async () => {
    expect(await reasonsFor(["m6i.large", "m6i.lage", "c5.larg"], ["1", "2"])).toEqual([
      expect.stringMatching(/^types\[1\]: .*"m6i.lage".*"m6i.large"\?$/),
      expect.stringMatching(/^types\[2\]: .*"c5.larg".*"c5.large"\?$/),
    ]);
  });

  it("can't be told where EC2 lists none at all", async () => {
    expect(await reasonsFor(["m6i.large"], ["us-east-1a"], [])).toEqual([
      "can't ask in which zones there is m6i.large: EC2 lists no instance types in us-east-1",
    ]);
  });
});
