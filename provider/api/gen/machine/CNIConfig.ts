// Original file: provider/api/proto/machine/machine.proto


export interface CNIConfig {
  'name'?: (string);
  'urls'?: (string)[];
}

export interface CNIConfig__Output {
  'name': (string);
  'urls': (string)[];
}
