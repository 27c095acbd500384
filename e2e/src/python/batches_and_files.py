"""Uses batches and files with the Python SDKs of OpenAI, Anthropic, and Google, and prints what they return as JSON."""

import base64
import io
import json
import os
import sys
import tempfile
import time

from anthropic import Anthropic
from google import genai
from openai import OpenAI

ORIGIN, KEY = os.environ["ORIGIN"], os.environ["KEY"]
with open(sys.argv[1], encoding="utf-8") as setup:
    SETUP = json.load(setup)
MODELS = SETUP["models"]
PNG = base64.b64decode(SETUP["png"])

openai = OpenAI(base_url=f"{ORIGIN}/v1", api_key=KEY)
anthropic = Anthropic(base_url=ORIGIN, api_key=KEY)
google = genai.Client(api_key=KEY, http_options={"base_url": ORIGIN})


def wait(is_ended):
    while not is_ended():
        time.sleep(0.1)


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def create_openai_batch(endpoint, valid, refused):
    bodies = enumerate([valid, refused])
    lines = [{"custom_id": str(at), "method": "POST", "url": endpoint, "body": body} for at, body in bodies]
    content = io.BytesIO("\n".join(map(json.dumps, lines)).encode())
    file = openai.files.create(file=("lines.jsonl", content), purpose="batch")
    return openai.batches.create(input_file_id=file.id, endpoint=endpoint, completion_window="24h").id


def read_openai_batch(batch_id):
    wait(lambda: openai.batches.retrieve(batch_id).status not in ("validating", "in_progress", "finalizing"))
    batch = openai.batches.retrieve(batch_id)
    assert batch.status == "completed", batch.errors
    files = [openai.files.content(file_id).text for file_id in (batch.output_file_id, batch.error_file_id)]
    return [line["response"] for text in files for line in lines_of(text)]


def openai_batches():
    ids = {row["endpoint"]: create_openai_batch(**row) for row in SETUP["endpoints"]}
    return {endpoint: read_openai_batch(batch_id) for endpoint, batch_id in ids.items()}


def anthropic_batch():
    requests = [
        {
            "custom_id": model,
            "params": {"model": model, "max_tokens": 100, "messages": [{"role": "user", "content": "hello"}]},
        }
        for model in MODELS
    ]
    batch = anthropic.messages.batches.create(requests=requests)
    wait(lambda: anthropic.messages.batches.retrieve(batch.id).processing_status == "ended")
    results = anthropic.messages.batches.results(batch.id)
    return {entry.custom_id: entry.result.message.content[0].text for entry in results}


def read_google_batch(name):
    wait(lambda: google.batches.get(name=name).done)
    return google.batches.get(name=name).dest


def google_batches():
    src = [{"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}]
    names = {model: google.batches.create(model=model, src=src).name for model in MODELS}
    results = {model: read_google_batch(name).inlined_responses[0] for model, name in names.items()}
    return {model: result.response.candidates[0].content.parts[0].text for model, result in results.items()}


def google_batch_of_a_file():
    request = {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}
    content = io.BytesIO(json.dumps({"key": "first", "request": request}).encode())
    src = google.files.upload(file=content, config={"mime_type": "jsonl"})
    dest = read_google_batch(google.batches.create(model=MODELS[0], src=src.name).name)
    (line,) = lines_of(google.files.download(file=dest.file_name).decode())
    return [line["key"], line["response"]["candidates"][0]["content"]["parts"][0]["text"]]


def openai_file():
    file = openai.files.create(file=("a.txt", b"one"), purpose="user_data")
    listed = any(one.id == file.id for one in openai.files.list())
    content = openai.files.content(file.id).read().decode()
    return [openai.files.retrieve(file.id).filename, listed, content, openai.files.delete(file.id).deleted]


def openai_upload():
    """Uploads a file in parts."""
    file = openai.uploads.upload_file_chunked(
        file=b"one", filename="a.txt", bytes=3, mime_type="text/plain", purpose="user_data", part_size=2
    ).file
    return [file.filename, openai.files.content(file.id).read().decode()]


def anthropic_file():
    file = anthropic.beta.files.upload(file=("a.txt", b"one", "text/plain"))
    listed = any(one.id == file.id for one in anthropic.beta.files.list())
    content = anthropic.beta.files.download(file.id).read().decode()
    name = anthropic.beta.files.retrieve_metadata(file.id).filename
    return [name, listed, content, anthropic.beta.files.delete(file.id).type == "file_deleted"]


def google_file():
    with tempfile.NamedTemporaryFile(suffix=".txt") as source:
        source.write(b"one")
        source.flush()
        file = google.files.upload(file=source.name, config={"display_name": "a.txt"})
    listed = any(one.name == file.name for one in google.files.list())
    content = google.files.download(file=file.name).decode()
    name = google.files.get(name=file.name).display_name
    google.files.delete(name=file.name)
    return [name, listed, content, all(one.name != file.name for one in google.files.list())]


def images():
    """Sends one file over each model, with each SDK."""
    file_id = openai.files.create(file=("pixel.png", PNG), purpose="vision").id
    uri = google.files.get(name=f"files/{file_id.removeprefix('file-')}").uri
    image = {"type": "image", "source": {"type": "file", "file_id": file_id}}
    part = genai.types.Part.from_uri(file_uri=uri, mime_type="image/png")
    texts = {}
    for model in MODELS:
        content = [{"type": "input_image", "file_id": file_id, "detail": "auto"}]
        messages = [{"role": "user", "content": [image]}]
        message = anthropic.beta.messages.create(model=model, max_tokens=100, messages=messages)
        texts[model] = [
            openai.responses.create(model=model, input=[{"role": "user", "content": content}]).output_text,
            message.content[0].text,
            google.models.generate_content(model=model, contents=[part]).text,
        ]
    return texts


PARTS = [
    openai_batches,
    anthropic_batch,
    google_batches,
    google_batch_of_a_file,
    openai_file,
    openai_upload,
    anthropic_file,
    google_file,
    images,
]
print(json.dumps({part.__name__: part() for part in PARTS}))
