// Original file: provider/api/proto/machine/machine.proto


export interface DHCPOptionsConfig {
  'routeMetric'?: (number);
}

export interface DHCPOptionsConfig__Output {
  'routeMetric': (number);
}
