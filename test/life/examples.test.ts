import { describeExample } from "../engine/support/exampleLife";

describeExample("quickstart");
describeExample("minimal");
describeExample("gitops");
describeExample("gpu");
describeExample("adopt-vpc");
describeExample("private");
describeExample("no-internet");
describeExample("components-only");
