// Original file: provider/api/proto/common/common.proto


export interface PEMEncodedCertificate {
  'crt'?: (Buffer | Uint8Array | string);
}

export interface PEMEncodedCertificate__Output {
  'crt': (Buffer);
}
