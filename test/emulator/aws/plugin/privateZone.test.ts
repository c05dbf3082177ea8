import { REGION, startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const VPC = "aws:ec2/vpc:Vpc";
const ZONE = "aws:route53/zone:Zone";
const RECORD = "aws:route53/record:Record";
const GET_ZONE = "aws:route53/getZone:getZone";

describe("private hosted zones of the substitute plugin", () => {
  let world: SubstituteWorld;

  beforeAll(async () => {
    world = await startSubstituteWorld();
  });
  afterAll(() => world.close());

  it("belong to their networks, which can change in place", async () => {
    const { substitute, make, change } = world;
    const [one, two] = await Promise.all([
      make(VPC, { cidrBlock: "10.1.0.0/16" }),
      make(VPC, { cidrBlock: "10.2.0.0/16" }),
    ]);
    const inputs = { name: "k8s.demo.test", vpcs: [{ vpcId: one.id }] };
    const zone = await make(ZONE, inputs);
    expect(zone.id).toMatch(/^Z[A-Z0-9]{20}$/);
    expect(zone.state.vpcs).toEqual([{ vpcId: one.id, vpcRegion: REGION }]);
    expect(substitute.diff(ZONE, zone, zone.inputs).changes).toEqual({});

    const moved = await change(ZONE, zone, { ...inputs, vpcs: [{ vpcId: two.id }] });
    expect(moved.id).toBe(zone.id);
    expect(moved.state.vpcs).toEqual([{ vpcId: two.id, vpcRegion: REGION }]);
    const again = await substitute.read(ZONE, zone.id, moved);
    expect(again?.inputs.vpcs).toEqual([{ vpcId: two.id }]);
    await substitute.delete(ZONE, zone.id, moved, {});
    expect(await substitute.read(ZONE, zone.id, moved)).toBeUndefined();
  });

  it("take a record again beside one of its name and another type", async () => {
    const { make, substitute } = world;
    const zone = await make(ZONE, { name: "twice.test" });
    const record = { zoneId: zone.id, name: "twice.test", ttl: 60 };
    const [ipv4, ipv6] = [
      { ...record, type: "A", records: ["192.0.2.1"] },
      { ...record, type: "AAAA", records: ["2001:db8::1"] },
    ];
    const first = await make(RECORD, ipv4);
    await make(RECORD, ipv6);
    await substitute.delete(RECORD, first.id, first, {});
    expect((await make(RECORD, ipv4)).id).toBe(first.id);
  });

  it("are found by name and network, apart from public ones", async () => {
    const { substitute, make } = world;
    const vpc = await make(VPC, { cidrBlock: "10.3.0.0/16" });
    const open = await make(ZONE, { name: "both.test" });
    const closed = await make(ZONE, { name: "both.test", vpcs: [{ vpcId: vpc.id }] });
    const find = (query: Record<string, string | boolean>) =>
      substitute.invoke(GET_ZONE, { name: "both.test", ...query });
    expect(await find({ privateZone: false })).toMatchObject({ zoneId: open.id });
    expect(await find({ privateZone: true, vpcId: vpc.id })).toMatchObject({ zoneId: closed.id });
    await expect(find({ privateZone: true, vpcId: "vpc-0" })).rejects.toThrow(
      /no matching Route 53 Hosted Zone found/,
    );
  });
});
