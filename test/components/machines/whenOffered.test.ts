import * as pulumi from "@pulumi/pulumi";
import { findOfferingProblem, whenOffered } from "../../../components/machines/whenOffered";
import { build, valueOf } from "../mockedGraph";

const GET = "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings";

describe("the zones of instance types", () => {
  const offers = (...locations: string[]) => ({
    instanceTypes: locations.map(() => "m7g.large"),
    locations,
  });
  const problem = (zones: string[], ...locations: string[]) =>
    findOfferingProblem(
      { instanceTypes: ["m7g.large"], zones },
      () => Promise.resolve(offers(...locations)),
      () => undefined,
    );

  it("are named if a type isn't offered there", async () => {
    const zones = ["us-east-1a", "us-east-1e"];
    expect(await problem(zones, "us-east-1a", "us-east-1e")).toBeUndefined();
    expect(await problem(zones, "us-east-1b", "us-east-1a")).toBe(
      `EC2 has no "m7g.large" in us-east-1e, but in us-east-1a, us-east-1b: take other zones, or another instance type`,
    );
    expect(await problem(zones)).toMatch(/but in no zone of the region/);
    // Zones by number are chosen when the network is made.
    expect(await problem(["1", "2"])).toBeUndefined();
  });

  it("cause no error if the account may not ask for offerings", async () => {
    const warnings: string[] = [];
    const refusal = () => Promise.reject(new Error("UnauthorizedOperation"));
    const query = { instanceTypes: ["m7g.large"], zones: ["us-east-1a"] };
    const found = await findOfferingProblem(query, refusal, (line) => warnings.push(line));
    expect(found).toBeUndefined();
    expect(warnings).toEqual([
      "can't ask in which zones there is m7g.large: UnauthorizedOperation",
    ]);
  });

  it("are looked up in a preview, too", async () => {
    const asked: unknown[] = [];
    const query = { instanceTypes: ["m7g.large"], zones: ["us-east-1a"] };
    const { value } = await build(
      () => {
        const parent = new pulumi.ComponentResource("test:index:Parent", "parent");
        return valueOf(whenOffered(pulumi.output("ami-1"), query, { parent }));
      },
      {
        calls: {
          [GET]: (inputs) => {
            asked.push(inputs);
            return offers("us-east-1a");
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
