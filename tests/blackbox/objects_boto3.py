"""What a program in Python does with objects, by boto3. Called with the endpoint; fails by an exception."""
import hashlib
import io
import sys
import urllib.request

import boto3
from botocore.config import Config
from boto3.s3.transfer import TransferConfig
from botocore.exceptions import ClientError

# Presigned URLs are signed by Signature Version 2 where nobody says otherwise, which is not taken here.
s3 = boto3.client(
    "s3",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id=sys.argv[2],
    aws_secret_access_key=sys.argv[3],
    config=Config(signature_version="s3v4"),
)
MB = 1024 * 1024


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return
    raise AssertionError(f"expected {code}")


s3.create_bucket(Bucket="from-python")
assert [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]] == ["from-python"]
made = s3.put_object(Bucket="from-python", Key="a/ä b", Body=b"bytes", ContentType="text/plain", Metadata={"who": "me"})
assert made["ETag"] == '"%s"' % hashlib.md5(b"bytes").hexdigest()
got = s3.get_object(Bucket="from-python", Key="a/ä b")
assert got["Body"].read() == b"bytes" and got["ContentType"] == "text/plain" and got["Metadata"] == {"who": "me"}
assert s3.get_object(Bucket="from-python", Key="a/ä b", Range="bytes=1-2")["Body"].read() == b"yt"
refused("NoSuchKey", s3.get_object, Bucket="from-python", Key="none")
refused("404", s3.head_object, Bucket="from-python", Key="none")
refused("NoSuchBucket", s3.list_objects_v2, Bucket="not-here")

# In parts, and back, as upload_fileobj and download_fileobj do it by themselves.
large = bytes(range(256)) * (12 * MB // 256)
settings = TransferConfig(multipart_threshold=5 * MB, multipart_chunksize=5 * MB)
s3.upload_fileobj(io.BytesIO(large), "from-python", "large", Config=settings)
back = io.BytesIO()
s3.download_fileobj("from-python", "large", back, Config=settings)
assert back.getvalue() == large
s3.copy({"Bucket": "from-python", "Key": "large"}, "from-python", "copy", Config=settings)
assert s3.head_object(Bucket="from-python", Key="copy")["ContentLength"] == len(large)

url = s3.generate_presigned_url("get_object", Params={"Bucket": "from-python", "Key": "a/ä b"}, ExpiresIn=60)
assert urllib.request.urlopen(url).read() == b"bytes"

keys = [item["Key"] for page in s3.get_paginator("list_objects_v2").paginate(Bucket="from-python", PaginationConfig={"PageSize": 1}) for item in page["Contents"]]
assert keys == ["a/ä b", "copy", "large"], keys
s3.delete_objects(Bucket="from-python", Delete={"Objects": [{"Key": key} for key in keys]})
s3.delete_bucket(Bucket="from-python")
print("all as it should be with boto3", boto3.__version__)
